"""The stream transformer for tool calls, which is upstream's own."""

from langgraph.prebuilt import ToolCallTransformer

__all__ = ["ToolCallTransformer"]
