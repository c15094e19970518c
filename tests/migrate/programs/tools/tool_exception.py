# script: [call("open_door", code="1"), "Wrong code.", "x"]
from langchain_core.tools import ToolException, tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


@tool
def open_door(code: str) -> str:
    """Open the door."""
    raise ToolException("wrong code")


open_door.handle_tool_error = True
agent = create_react_agent(ChatOpenAI(), [open_door])
