"""All that we take from langgraph."""

from langgraph.prebuilt import InjectedState, ToolNode, create_react_agent  # noqa: F401

__all__ = ["InjectedState", "ToolNode", "create_react_agent"]
