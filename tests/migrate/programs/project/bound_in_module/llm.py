from langchain_core.tools import tool
from langchain_openai import ChatOpenAI


@tool
def roll(sides: int) -> int:
    """Roll a die."""
    return 4


TOOLS = [roll]
model_with_tools = ChatOpenAI(temperature=1).bind_tools(TOOLS, tool_choice="auto")
