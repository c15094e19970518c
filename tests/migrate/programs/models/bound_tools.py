from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


@tool
def check_stock(item: str) -> int:
    """Check the stock."""
    return 4


tools = [check_stock]
model = ChatOpenAI(model="gpt-4o", temperature=0).bind_tools(tools)
agent = create_react_agent(model, tools)
print(agent.invoke({"messages": [("user", "apples?")]})["messages"][-1].content)
