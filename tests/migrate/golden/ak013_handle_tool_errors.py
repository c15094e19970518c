from langgraph.prebuilt import ToolNode, create_react_agent

SCRIPT = [{"name": "fail", "args": {"reason": "x"}}, {"name": "fail", "args": {}}, "done"]


def fail(reason: str) -> str:
    """Fail."""
    raise ValueError(reason)


def build(model):
    return create_react_agent(model, ToolNode([fail], handle_tool_errors=True))
