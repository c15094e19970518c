import pytest
from langchain_core.messages import AIMessage
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import INVALID_TOOL_NAME_ERROR_TEMPLATE, msg_content_output


def test_unknown():
    node = ToolNode([], handle_tool_errors=True)
    assert node.tools_by_name == {}
    assert msg_content_output("x") == "x"
    assert "{requested_tool}" in INVALID_TOOL_NAME_ERROR_TEMPLATE
