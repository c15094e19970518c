from typing import Annotated

from langchain_core.tools import InjectedToolCallId, tool
from langgraph.prebuilt import InjectedState, create_react_agent
from langgraph.types import Command


def make_handoff_tool(*, agent_name: str):
    tool_name = f"transfer_to_{agent_name}"

    @tool(tool_name)
    def handoff(
        state: Annotated[dict, InjectedState],
        tool_call_id: Annotated[str, InjectedToolCallId],
    ):
        """Ask another agent for help."""
        message = {"role": "tool", "content": "ok", "name": tool_name, "tool_call_id": tool_call_id}
        return Command(goto=agent_name, graph=Command.PARENT, update={"messages": state["messages"] + [message]})

    return handoff


hotel_advisor = create_react_agent(
    "openai:gpt-4o", [make_handoff_tool(agent_name="travel_advisor")], prompt=("You know hotels. " "Never guess.")
)
