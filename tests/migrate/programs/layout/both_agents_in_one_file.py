# agent: new
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def tell(joke: str) -> str:
    """Tell."""
    return joke


new = create_agent(ChatOpenAI(), [tell], system_prompt="You joke.")
old = create_react_agent(ChatOpenAI(), [tell], prompt="You joke, too.")
print(old.invoke({"messages": [("user", "joke")]})["messages"][-1].content)
