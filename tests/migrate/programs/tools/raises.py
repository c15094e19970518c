# script: [call("divide", a=1, b=0), "That fails.", "x"]
# inputs: [{"messages": [("user", "1/0")]}]
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


@tool
def divide(a: int, b: int) -> float:
    """Divide."""
    return a / b


agent = create_react_agent(ChatOpenAI(), [divide], prompt="You divide.")
