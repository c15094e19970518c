from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def left(x: int) -> int:
    """Left."""
    return -x


def right(x: int) -> int:
    """Right."""
    return x


tools = [left, right]
llm = ChatOpenAI()
agent = create_react_agent(llm.bind_tools(tools, parallel_tool_calls=False), tools, prompt="You steer.")
