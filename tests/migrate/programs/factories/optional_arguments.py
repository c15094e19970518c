# agent: build_agent(tools=[area], verbose=True)
from typing import Any, Optional, Sequence

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def area(side: float) -> float:
    """Area."""
    return side**2


def build_agent(
    tools: Optional[Sequence[Any]] = None,
    prompt: Optional[str] = None,
    checkpointer=None,
    verbose: bool = False,
):
    """Build the agent; everything is optional."""
    if prompt is None:
        prompt = "You compute areas."
    return create_react_agent(
        ChatOpenAI(), tools or [], prompt=prompt, checkpointer=checkpointer, debug=verbose and False
    )
