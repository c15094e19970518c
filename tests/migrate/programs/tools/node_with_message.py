# script: [call("divide", a=1, b=0), "That fails.", "x"]
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import ToolNode, create_react_agent


def divide(a: int, b: int) -> float:
    """Divide."""
    return a / b


tool_node = ToolNode([divide], handle_tool_errors="Can't divide by zero, try again.")
agent = create_react_agent(ChatOpenAI(), tool_node, prompt="You divide.")
