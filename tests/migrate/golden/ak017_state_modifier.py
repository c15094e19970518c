from langgraph.prebuilt.chat_agent_executor import create_tool_calling_executor

HISTORICAL = True


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_tool_calling_executor(model, [add], state_modifier="Be brief.")
