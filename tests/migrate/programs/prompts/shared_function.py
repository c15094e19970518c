from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def house_style(state):
    """The same voice for all our agents."""
    system = SystemMessage(content=f"You answer in at most {3} lines.")
    return [system] + list(state["messages"])


def search(query: str) -> str:
    """Search."""
    return "x"


llm = ChatOpenAI()
finder = agent = create_react_agent(llm, [search], prompt=house_style)
talker = create_react_agent(llm, [], prompt=house_style)
print(house_style({"messages": []})[0].content)
print(talker.invoke({"messages": [("user", "talk")]})["messages"][-1].content)
