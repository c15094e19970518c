# stays: AK018
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


@tool(return_direct=True)
def finish(answer: str) -> str:
    """Finish with an answer."""
    return answer


@tool
def think(thought: str) -> str:
    """Think."""
    return "go on"


llm = ChatOpenAI()
finisher = create_react_agent(llm, [finish])
agent = create_react_agent(llm, [think], prompt="You think.")
print(finisher.invoke({"messages": [("user", "end")]})["messages"][-1].content)
