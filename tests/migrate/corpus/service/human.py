from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.interrupt import HumanInterrupt, HumanInterruptConfig
from langgraph.types import interrupt


def add_human_in_the_loop(tool, *, interrupt_config: HumanInterruptConfig | None = None):
    """Wrap a tool so that a person is asked first."""
    if interrupt_config is None:
        interrupt_config = {"allow_accept": True, "allow_edit": True, "allow_respond": True}

    def call_tool_with_interrupt(**tool_input):
        request: HumanInterrupt = {
            "action_request": {"action": tool.name, "args": tool_input},
            "config": interrupt_config,
            "description": "Please review the tool call",
        }
        response = interrupt([request])[0]
        if response["type"] == "accept":
            return tool.invoke(tool_input)
        raise ValueError(f"Unsupported interrupt response type: {response['type']}")

    return call_tool_with_interrupt


agent = create_react_agent("openai:gpt-4o", [add_human_in_the_loop])
