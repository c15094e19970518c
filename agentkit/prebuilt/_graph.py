"""Rebuild the graph that create_agent made with the legacy agent's node names, routers and state.

Everything else (middleware nodes, their edges, `jump_to`) stays as create_agent wired it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt.tool_node import ToolCallWithContext, ToolNode
from langgraph.types import Send
from pydantic import BaseModel

from agentkit import _upstream as up
from agentkit.prebuilt._agent_node import AgentNode
from agentkit.prebuilt._checkpoints import CheckedStateGraph
from agentkit.prebuilt._models import LegacyModelCall
from agentkit.prebuilt._schemas import as_user_state, schema_hints, state_value, typed_dict, unmanaged

AGENT, TOOLS = "agent", "tools"
PRE_HOOK, POST_HOOK, STRUCTURED = "pre_model_hook", "post_model_hook", "generate_structured_response"

# create_agent's node name -> the legacy one.
LEGACY_NAMES = {
    "model": AGENT,
    f"{PRE_HOOK}.before_model": PRE_HOOK,
    f"{POST_HOOK}.after_model": POST_HOOK,
    f"{STRUCTURED}.after_agent": STRUCTURED,
}


@dataclass
class LegacyAgent:
    """What the rebuilt graph needs to know beside create_agent's own.

    Attributes:
        call: Prompt and model; its state class has `llm_input_messages`, beside a hook.
        user_schema: The state class of the user's functions.
        context_schema: Passed on to the graph.
        nodes: The runnables of the legacy nodes by legacy name: hooks, the structured response.
        tool_node: The node that runs tools, or None without tools.
        version: `"v1"` for one tools task per message, `"v2"` for one per call.
        name: The agent's name, written on each of its messages.
        has_middleware: Whether the user gave middleware, whose state is then part of the schema.
    """

    call: LegacyModelCall
    user_schema: type
    context_schema: type | None
    nodes: Mapping[str, Any]
    tool_node: ToolNode | None
    version: Literal["v1", "v2"]
    name: str | None
    has_middleware: bool

    @property
    def router_reads(self) -> str:
        """The node after which the legacy agent sends the calls to the tools."""
        return POST_HOOK if POST_HOOK in self.nodes else AGENT

    @property
    def hints(self) -> Mapping[str, Any]:
        """The annotations of the user's state."""
        return schema_hints(self.user_schema)


def rebuild(
    agent: CompiledStateGraph[Any, Any, Any, Any], legacy: LegacyAgent, compile_args: Mapping[str, Any]
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the legacy graph from create_agent's.

    Args:
        agent: What create_agent returned, with slots where the legacy nodes belong.
        legacy: The legacy parts.
        compile_args: Checkpointer, store, static interrupts, debug and name.

    Returns:
        The compiled graph.
    """
    source = agent.builder
    graph, full = _new_graph(source, legacy)
    _add_nodes(graph, source, legacy, full)
    _add_edges(graph, source, legacy, full)
    arguments = dict(compile_args)
    if transformers := up.stream_transformers(agent):
        arguments["transformers"] = transformers
    compiled = graph.compile(**arguments)
    # StateGraph.compile names the class of its result itself; only its checks on stored threads differ.
    compiled.__class__ = CheckedStateGraph
    return compiled


def _new_graph(source: Any, legacy: LegacyAgent) -> tuple[StateGraph[Any, Any, Any, Any], type]:
    """Make the empty graph, and the schema with every field that create_agent's nodes may read."""
    if not legacy.has_middleware:
        graph: Any = StateGraph(legacy.user_schema, context_schema=legacy.context_schema)
        full = legacy.user_schema
        return graph, typed_dict("State", legacy.hints) if issubclass(full, BaseModel) else full

    def merged(name: str, schema: type, hints: Mapping[str, Any]) -> type:
        return typed_dict(name, {**schema_hints(schema), **hints})

    full = merged("State", source.state_schema, legacy.hints)
    graph = StateGraph(
        # What a hook is given unless it asks for another schema; the rest of `full` comes with its nodes.
        legacy.user_schema if issubclass(legacy.user_schema, BaseModel) else full,
        context_schema=legacy.context_schema,
        input_schema=merged("Input", source.input_schema, unmanaged(legacy.hints)),
        output_schema=merged("Output", source.output_schema, unmanaged(legacy.hints)),
    )
    return graph, full


# --- nodes ---


def _add_nodes(graph: Any, source: Any, legacy: LegacyAgent, full: type) -> None:
    is_model = issubclass(legacy.user_schema, BaseModel)
    agent = AgentNode(
        legacy.call,
        source.nodes["model"].runnable if legacy.has_middleware else None,
        name=legacy.name,
        has_pre_hook=PRE_HOOK in legacy.nodes,
        return_direct=_return_direct(legacy.tool_node),
    )
    agent_schema = legacy.call.user_schema
    if legacy.has_middleware:
        agent_schema = typed_dict("CallModelInput", {**schema_hints(full), **schema_hints(legacy.call.user_schema)})
    graph.add_node(AGENT, up.RunnableCallable(agent.call_model, agent.acall_model), input_schema=agent_schema)
    if legacy.tool_node is not None:
        tools_schema = legacy.user_schema if is_model else full
        if legacy.router_reads == AGENT and legacy.version == "v2":
            # What is sent to a tool is the state of the node that sends it, with `llm_input_messages` beside a hook.
            tools_schema = legacy.call.user_schema if is_model else agent_schema
        graph.add_node(TOOLS, legacy.tool_node, input_schema=tools_schema)
    for name, node in legacy.nodes.items():
        graph.add_node(name, node)
    for name, spec in source.nodes.items():
        if name in LEGACY_NAMES or name == TOOLS:
            continue
        options = {"trace_policy": spec.trace_policy} if hasattr(spec, "trace_policy") else {}
        graph.add_node(name, spec.runnable, input_schema=full, **options)


# --- edges ---


def _add_edges(graph: Any, source: Any, legacy: LegacyAgent, full: type) -> None:
    for start, end in sorted(source.edges):
        graph.add_edge(_legacy_name(start), _legacy_name(end))
    for start, branches in source.branches.items():
        for name, branch in branches.items():
            if name not in (up.AFTER_MODEL_ROUTER, up.AFTER_TOOLS_ROUTER):
                ends = {key: _legacy_name(end) for key, end in branch.ends.items()}
                graph.add_conditional_edges(_legacy_name(start), branch.path, ends)
    if legacy.tool_node is not None:
        _add_routers(graph, source, legacy, legacy.tool_node, full)


def _add_routers(graph: Any, source: Any, legacy: LegacyAgent, tool_node: ToolNode, full: type) -> None:
    loop_exit = next(start for start, branches in source.branches.items() if up.AFTER_MODEL_ROUTER in branches)
    entry = _legacy_name(next(iter(source.branches[TOOLS][up.AFTER_TOOLS_ROUTER].ends.values())))
    end = _legacy_name(list(source.branches[loop_exit][up.AFTER_MODEL_ROUTER].ends.values())[1])

    answers_after = loop_exit != "model" or legacy.has_middleware
    to_tools = _after_model(legacy, tool_node, entry=entry, end=end, answers_after=answers_after)
    paths = [entry, TOOLS, end] if answers_after else [TOOLS, end]
    if legacy.has_middleware:
        to_tools.__annotations__["state"] = full
    elif POST_HOOK in legacy.nodes:
        # Traces have a run of this name there, though an edge leads to the hook as well.
        graph.add_conditional_edges(AGENT, should_continue, [POST_HOOK])
        to_tools.__name__ = "post_model_hook_router"
    graph.add_conditional_edges(_legacy_name(loop_exit), to_tools, paths)

    direct = _return_direct(tool_node)
    if not direct and not legacy.has_middleware:
        graph.add_edge(TOOLS, entry)
        return
    # A direct answer skips the structured response, but not the user's own after_agent middleware.
    after_structured = next((target for start, target in source.edges if _legacy_name(start) == STRUCTURED), END)
    direct_end = _legacy_name(after_structured) if end == STRUCTURED else end
    to_model = _after_tools(direct, entry=entry, end=end, direct_end=direct_end)
    to_model.__annotations__["state"] = full if legacy.has_middleware else legacy.user_schema
    graph.add_conditional_edges(
        TOOLS,
        to_model,
        list(dict.fromkeys([entry, direct_end, end])) if legacy.has_middleware else [entry, direct_end],
    )


def _legacy_name(name: str) -> str:
    return LEGACY_NAMES.get(name, name)


def should_continue(state: Any) -> str:
    """Choose the hook: its router is the one that looks at the calls."""
    return POST_HOOK


def _after_model(
    legacy: LegacyAgent, tool_node: ToolNode, *, entry: str, end: str, answers_after: bool
) -> Callable[..., Any]:
    """Make the router that follows the model (and the nodes after it)."""
    jumps = {"model": entry, "end": end, "tools": TOOLS}
    sends_state = not up.READS_STATE_ON_EXECUTION and up.takes_state(tool_node)

    def send(tool_call: Any, state: Any) -> Send:
        if not sends_state:
            return Send(TOOLS, [tool_call])
        own = as_user_state(legacy.user_schema, state) if isinstance(state, dict) else state
        return Send(TOOLS, ToolCallWithContext(__type="tool_call_with_context", tool_call=tool_call, state=own))

    def should_continue(state: Any) -> Any:
        if jump := state_value(state, "jump_to"):
            return jumps[jump]
        messages = state_value(state, "messages")
        last, answered = _last_turn(messages)
        if last is None or (not answers_after and last is not messages[-1]):
            return end
        # Only answers after the last AI message count: a model may use an id again.
        waiting = [tool_call for tool_call in last.tool_calls if tool_call["id"] not in answered]
        if waiting:
            if legacy.version == "v1" and len(waiting) == len(last.tool_calls):
                return TOOLS
            return [send(tool_call, state) for tool_call in waiting]
        # A node after the model may have answered every call; then the model goes on. A reply without calls that took
        # the place of an earlier message ends the run, though answers follow it; only the legacy hook goes on then.
        goes_on = answers_after and (last.tool_calls or POST_HOOK in legacy.nodes)
        return entry if goes_on and isinstance(messages[-1], ToolMessage) else end

    return should_continue


def _after_tools(direct: set[str], *, entry: str, end: str, direct_end: str) -> Callable[..., Any]:
    """Make the router that follows the tools."""
    jumps = {"model": entry, "end": end, "tools": TOOLS}

    def route_tool_responses(state: Any) -> str:
        if jump := state_value(state, "jump_to"):
            return jumps[jump]
        last, answered = _last_turn(state_value(state, "messages"))
        ends = False
        for tool_call in last.tool_calls if last is not None else ():
            # A task of its own sees its own answer only. The tool that ran may be another than was asked for.
            answer = answered.get(tool_call["id"])
            if ((answer and answer.name) or tool_call["name"]) in direct:
                # A failure goes back to the model, which can mend it; only a success ends the run.
                if answer is not None and answer.status == "error":
                    return entry
                ends = True
        return direct_end if ends else entry

    return route_tool_responses


def _last_turn(messages: Sequence[AnyMessage]) -> tuple[AIMessage | None, dict[str | None, ToolMessage]]:
    """Find the last AI message and the tool messages after it, by the call they answer."""
    answered: dict[str | None, ToolMessage] = {}
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            return message, answered
        if isinstance(message, ToolMessage):
            answered.setdefault(message.tool_call_id, message)
    return None, answered


def _return_direct(tool_node: ToolNode | None) -> set[str]:
    return {name for name, tool in tool_node.tools_by_name.items() if tool.return_direct} if tool_node else set()
