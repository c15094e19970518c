"""Put the legacy arguments on their roads into create_agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AnyMessage
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt.tool_node import ToolNode as UpstreamToolNode
from pydantic import BaseModel, create_model

from agentkit import _upstream as up
from agentkit.middleware._gates import gate_middleware
from agentkit.middleware._policy import InterruptOn
from agentkit.prebuilt import _graph, _schemas
from agentkit.prebuilt._execution import take_over
from agentkit.prebuilt._models import LegacyModel, LegacyModelCall, structured_response_node
from agentkit.prebuilt._slots import AfterAgentSlot, AfterModelSlot, BeforeModelSlot
from agentkit.prebuilt._tools import check_names, one_of_each_name
from agentkit.prebuilt.tool_node import ToolNode, given_tools, own_tool_node

_SLOTS = {
    _graph.PRE_HOOK: BeforeModelSlot,
    _graph.POST_HOOK: AfterModelSlot,
    _graph.STRUCTURED: AfterAgentSlot,
}


def build(
    *,
    model: Any,
    tools: Any,
    prompt: Any,
    response_format: Any,
    hooks: Mapping[str, Any],
    state_schema: Any,
    context_schema: Any,
    version: Any,
    name: str | None,
    middleware: Sequence[AgentMiddleware[Any, Any]],
    interrupt_on: InterruptOn | None,
    permissions: Any,
    handle_tool_errors: Any,
    compile_args: Mapping[str, Any],
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the agent of `create_react_agent`, whose docstring says what each argument is."""
    if version not in ("v1", "v2"):
        raise ValueError(f"Invalid version {version}. Supported versions are 'v1' and 'v2'.")
    user_schema = _checked_schema(state_schema, needs_response=response_format is not None)
    check_names(given_tools(tools), middleware, interrupt_on, permissions)
    tool_node, builtin = _tool_node(tools, handle_tool_errors)
    middleware = gate_middleware(
        interrupt_on=interrupt_on,
        permissions=permissions,
        middleware=middleware,
        tools=list(tool_node.tools_by_name.values()),
        checkpointer=compile_args["checkpointer"],
        version=version,
    )
    own_tools: list[Any] = [*tool_node.tools_by_name.values(), *builtin]
    legacy_model = LegacyModel.resolve(model, list(tool_node.tools_by_name.values()), builtin)

    nodes = {name: hook for name, hook in hooks.items() if hook is not None}
    if response_format is not None:
        nodes[_graph.STRUCTURED] = structured_response_node(legacy_model, response_format)
    base = _schemas.base_schema(user_schema)
    slots: list[AgentMiddleware[Any, Any]] = [_SLOTS[node](node, base) for node in nodes]

    call_schema = _with_llm_input(user_schema) if _graph.PRE_HOOK in nodes else user_schema
    call = LegacyModelCall(legacy_model, prompt=prompt, state_schema=base, user_schema=call_schema)
    agent: Any = create_agent(
        legacy_model.chat_model,
        own_tools,
        system_prompt=call.system_message,
        middleware=[*middleware, *slots, call],
        state_schema=base,
        context_schema=context_schema,
    )
    up.keep_off_loop(agent)
    runs_tools = _adopted(tool_node, agent, middleware)
    call.offer([*runs_tools.tools_by_name.values(), *builtin])
    legacy = _graph.LegacyAgent(
        call=call,
        user_schema=user_schema,
        context_schema=context_schema,
        nodes=nodes,
        tool_node=runs_tools if runs_tools.tools_by_name else None,
        version=version,
        name=name,
        has_middleware=bool(middleware),
    )
    return _graph.rebuild(agent, legacy, compile_args)


def _checked_schema(schema: Any, *, needs_response: bool) -> type:
    if schema is None:
        return _schemas.AgentStateWithStructuredResponse if needs_response else _schemas.AgentState
    required = {"messages", "remaining_steps", *(["structured_response"] if needs_response else [])}
    if missing := required - set(_schemas.schema_hints(schema)):
        raise ValueError(f"Missing required key(s) {missing} in state_schema")
    return _schemas.with_optional_response(schema) if needs_response else cast("type", schema)


def _with_llm_input(schema: Any) -> type:
    """The state as prompt and model function see it beside a pre_model_hook."""
    if not issubclass(schema, BaseModel):
        hints = {**_schemas.schema_hints(schema), "llm_input_messages": list[AnyMessage]}
        return _schemas.typed_dict("CallModelInputSchema", hints)
    return create_model(
        "CallModelInputSchema",
        __base__=schema,
        __module__=_schemas.__name__,
        llm_input_messages=(list[AnyMessage] | None, None),
    )


def _tool_node(tools: Any, handle_tool_errors: Any) -> tuple[UpstreamToolNode, list[dict[str, Any]]]:
    """The node that runs the tools, and the provider's own tools, which it does not run."""
    if isinstance(tools, UpstreamToolNode):
        if handle_tool_errors is not None:
            raise ValueError(
                "`handle_tool_errors` is given beside a ToolNode, which has its own. "
                "Give it to the ToolNode, or give the tools as a list."
            )
        return own_tool_node(tools), []
    policy = {} if handle_tool_errors is None else {"handle_tool_errors": handle_tool_errors}
    builtin = [tool for tool in tools if isinstance(tool, dict)]
    own = one_of_each_name(tool for tool in tools if not isinstance(tool, dict))
    return ToolNode(own, **policy), builtin


def _adopted(node: UpstreamToolNode, agent: Any, middleware: Sequence[Any]) -> UpstreamToolNode:
    """Put the middleware's tools and tool-call wrappers around the node, where there is middleware."""
    made = up.tools_node(agent)
    if not middleware or made is None:
        return node
    take_over(made, node, middleware)
    return made
