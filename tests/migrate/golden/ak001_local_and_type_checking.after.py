from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from langgraph.prebuilt import ToolRuntime


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    from langchain.agents import create_agent

    return create_agent(model, [add])


def describe(runtime: ToolRuntime) -> str:
    return str(runtime)
