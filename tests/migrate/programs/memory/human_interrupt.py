# inputs: [{"messages": [("user", "mail")]}, Command(resume=[{"type": "accept"}])]
# script: [call("send_mail", to="a@example.org"), "Sent."]
from typing import Callable

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool as create_tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.interrupt import HumanInterrupt, HumanInterruptConfig
from langgraph.types import interrupt


def add_human_in_the_loop(tool: Callable | BaseTool, *, interrupt_config: HumanInterruptConfig = None) -> BaseTool:
    """Wrap a tool to support human-in-the-loop review."""
    if not isinstance(tool, BaseTool):
        tool = create_tool(tool)
    if interrupt_config is None:
        interrupt_config = {"allow_accept": True, "allow_edit": True, "allow_respond": True}

    @create_tool(tool.name, description=tool.description, args_schema=tool.args_schema)
    def call_tool_with_interrupt(config: RunnableConfig, **tool_input):
        request: HumanInterrupt = {
            "action_request": {"action": tool.name, "args": tool_input},
            "config": interrupt_config,
            "description": "Please review the tool call",
        }
        response = interrupt([request])[0]
        if response["type"] == "accept":
            return tool.invoke(tool_input, config)
        if response["type"] == "edit":
            return tool.invoke(response["args"]["args"], config)
        return response["args"]

    return call_tool_with_interrupt


def send_mail(to: str) -> str:
    """Send a mail."""
    return f"sent to {to}"


agent = create_react_agent(ChatOpenAI(), [add_human_in_the_loop(send_mail)], checkpointer=InMemorySaver())
