from agentkit.agents import create_agent

SCRIPT = [{"name": "fail", "args": {"reason": "x"}}, {"name": "fail", "args": {}}, "done"]


def fail(reason: str) -> str:
    """Fail."""
    raise ValueError(reason)


def build(model):
    return create_agent(model, [fail], handle_tool_errors=True)
