"""One place for what we take from langgraph."""

from langgraph.prebuilt import InjectedState, ToolNode, create_react_agent, tools_condition  # noqa: F401

__all__ = ["InjectedState", "ToolNode", "create_react_agent", "tools_condition"]
