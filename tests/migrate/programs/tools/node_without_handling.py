# script: [call("divide", a=1, b=0), "never said"]
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import ToolNode, create_react_agent


def divide(a: int, b: int) -> float:
    """Divide."""
    return a / b


agent = create_react_agent(ChatOpenAI(), ToolNode([divide], handle_tool_errors=False))
