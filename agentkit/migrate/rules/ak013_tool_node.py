"""AK013: a ToolNode as `tools=`, and `handle_tool_errors`."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.flows import origins
from agentkit.migrate.functions import brief


def apply(call: AgentCall) -> None:
    """Rewrite a ToolNode to its tools.

    Raises:
        Refused: The node does more than hold tools.
    """
    _own_errors(call)
    value = call.value("tools")
    node = call.source.value(value) if value is not None else None
    if value is not None and (
        any(
            _makes_node(call, other)
            for other in origins(call.source, value)
            if other is not node or not call.source.owns(other)
        )
    ):
        raise Refused("AK013", f"{brief(call.code('tools'))} may be a ToolNode that was made elsewhere")
    if not isinstance(node, cst.Call) or value is None:
        return
    origin = call.source.imported(node.func)
    if not origin.endswith(".ToolNode"):
        local = call.source.value(node.func) if isinstance(node.func, cst.Name) else None
        if isinstance(local, cst.ClassDef) and any("ToolNode" in call.source.code(b.value) for b in local.bases):
            raise Refused("AK013", f"{local.name.value} is a ToolNode of your own")
        return
    tools = _arguments(call, node)
    if value is not node:
        references = call.source.binding(value)
        if references is None or len(references.references) != 1:
            raise Refused("AK013", "the ToolNode is used in more than this call")
    if value is not node and not isinstance(tools, (cst.Name, cst.List)):
        raise Refused("AK013", "the ToolNode's tools are no list or name")
    call.used("AK013")
    if value is node:
        call.rename("tools", "tools" if call.arguments["tools"].keyword else "", tools)
    else:
        call.values[node] = tools


def _makes_node(call: AgentCall, node: cst.CSTNode) -> bool:
    if not isinstance(node, cst.Call):
        return False
    made = call.source.value(node.func)
    return call.source.imported(node.func).endswith(".ToolNode") or (
        isinstance(made, cst.ClassDef) and any("ToolNode" in call.source.code(base.value) for base in made.bases)
    )


def _own_errors(call: AgentCall) -> None:
    """`handle_tool_errors=` on the call itself, which agentkit's `create_react_agent` takes."""
    if "handle_tool_errors" in call.arguments:
        call.used("AK013")
        call.agent_module = "agentkit.agents"


def _arguments(call: AgentCall, node: cst.Call) -> cst.BaseExpression:
    tools: cst.BaseExpression | None = None
    for place, argument in enumerate(node.args):
        keyword = argument.keyword.value if argument.keyword else ("tools" if place == 0 else "")
        if argument.star or not keyword:
            raise Refused("AK013", "the ToolNode's arguments are hidden")
        if keyword == "tools":
            tools = argument.value
        elif keyword == "handle_tool_errors" and "handle_tool_errors" not in call.arguments:
            call.agent_module = "agentkit.agents"
            call.added["handle_tool_errors"] = argument.value
        else:
            raise Refused("AK013", f"the ToolNode has {keyword}= set")
    if tools is None:
        raise Refused("AK013", "the ToolNode has no tools")
    return tools
