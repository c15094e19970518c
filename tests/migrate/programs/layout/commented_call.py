from langchain_openai import ChatOpenAI
from langgraph.prebuilt import (
    ToolNode,  # runs the tools
    create_react_agent,  # type: ignore[attr-defined]
)


def mul(a: int, b: int) -> int:
    """Multiply."""
    return a * b


node = ToolNode([mul])
agent = create_react_agent(
    ChatOpenAI(),  # cheap
    tools=[mul],  # just the one
    # keep this short
    prompt="You multiply.",
)
