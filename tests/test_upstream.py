"""What agentkit relies on in upstream's private parts, and that nothing else touches them."""

from __future__ import annotations

import ast
import functools
import inspect
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.graph import StateGraph
from langgraph.graph.message import MessagesState
from langgraph.managed import RemainingSteps
from langgraph.prebuilt.tool_node import InjectedState, ToolNode, ToolRuntime
from langgraph.runtime import Runtime
from langgraph.types import Command, Send
from typing_extensions import get_type_hints

import agentkit
from agentkit import _upstream
from agentkit.prebuilt._checkpoints import pending_nodes
from agentkit.testing import ScriptedChatModel

PACKAGE = Path(agentkit.__file__).parent
# The demo's script is a user's program, which agentkit ships but never imports.
FILES = sorted(set(PACKAGE.rglob("*.py")) - {PACKAGE / "demo/_scripts/legacy_agent.py"})
UPSTREAM = ("langgraph", "langchain", "langchain_core", "deepagents")
# Names and modules that upstream has deprecated.
DEPRECATED_MODULES = (
    "langgraph.prebuilt.chat_agent_executor",
    "langgraph.prebuilt.interrupt",
    "langgraph.prebuilt.tool_validator",
)
DEPRECATED_NAMES = ("create_react_agent", "ValidationNode", "chat_agent_executor", "interrupt", "tool_validator")


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def imports(path: Path) -> list[tuple[str, str]]:
    """The (module, name) pairs that a file imports from upstream, wherever in it."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found += [(node.module or "", alias.name) for alias in node.names]
    return [(module, name) for module, name in found if module.partition(".")[0] in UPSTREAM]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_private_parts_of_upstream_are_imported_in_one_file_only(path: Path) -> None:
    private = [
        f"{module}.{name}"
        for module, name in imports(path)
        if any(part.startswith("_") and not part.startswith("__") for part in [*module.split("."), name])
    ]
    if path.name != "_upstream.py":
        assert private == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_that_upstream_has_deprecated_is_imported(path: Path) -> None:
    for module, name in imports(path):
        assert not module.startswith(DEPRECATED_MODULES)
        assert not (module == "langgraph.prebuilt" and name in DEPRECATED_NAMES)


def test_a_node_takes_its_runtime_from_the_config_where_with_runtime_puts_it() -> None:
    def node(state: Any, runtime: Runtime[Any]) -> Any:
        return runtime

    runnable = _upstream.RunnableCallable(node)
    assert isinstance(runnable.invoke({}, _upstream.with_runtime(None)), Runtime)
    mine = Runtime(context="mine")
    config = _upstream.with_runtime({"configurable": {"__pregel_runtime": mine}})
    assert runnable.invoke({}, config).context == "mine"


def test_a_runnable_callable_is_given_config_by_annotation_and_has_func_and_afunc() -> None:
    def node(state: Any, config: RunnableConfig) -> Any:
        return config["tags"]

    async def anode(state: Any, config: RunnableConfig) -> Any:
        return config["tags"]

    runnable = _upstream.RunnableCallable(node, anode, name="n", trace=False)
    assert runnable.invoke({}, {"tags": ["x"]}) == ["x"]
    assert (runnable.func, runnable.afunc) == (node, anode)


def test_a_tool_node_has_the_parts_that_are_read_and_replaced() -> None:
    def wrap(request: Any, execute: Any) -> Any:
        return execute(request)

    node = ToolNode([add], wrap_tool_call=wrap, handle_tool_errors="text")
    assert _upstream.tool_call_wrappers(node) == (wrap, None)
    assert list(node._tools_by_name) == list(node._injected_args) == ["add"]
    assert node.func == node._func
    assert node.afunc == node._afunc
    _upstream.set_error_policy(node, True)
    assert node._handle_tool_errors is True


def test_a_tool_node_executes_through_the_two_methods_that_are_overridden() -> None:
    for method in (ToolNode._execute_tool_sync, ToolNode._execute_tool_async):
        assert list(inspect.signature(method).parameters) == ["self", "request", "input_type", "config"]
    assert list(inspect.signature(ToolNode._inject_tool_args).parameters)[:2] == ["self", "tool_call"]


def test_a_tool_node_has_the_private_steps_that_are_hooked() -> None:
    private = vars(ToolNode)
    parameters = {
        "_func": ["self", "input", "config", "runtime"],
        "_afunc": ["self", "input", "config", "runtime"],
        "_combine_tool_outputs": ["self", "outputs", "input_type"],
        "_normalize_tool_response": ["self", "response", "tool_call", "input_type"],
        "_run_one": ["self", "call", "input_type", "tool_runtime"],
        "_arun_one": ["self", "call", "input_type", "tool_runtime"],
        "_inject_tool_args": ["self", "tool_call", "tool_runtime", "tool"],
    }
    assert {name: list(inspect.signature(private[name]).parameters) for name in parameters} == parameters
    for name, method in parameters.items():
        assert list(inspect.signature(vars(_upstream.HookedToolNode)[name]).parameters)[:2] == method[:2]
    assert _upstream.messages_key(ToolNode([add], messages_key="chat")) == "chat"


def test_a_tool_lets_through_the_arguments_that_it_remembers_as_injected() -> None:
    plain = tool(add)
    assert plain._injected_args_keys == frozenset()
    _upstream.let_through(plain, frozenset({"extra"}))
    assert plain._injected_args_keys == frozenset({"extra"})
    assert isinstance(vars(BaseTool)["_injected_args_keys"], functools.cached_property)


def test_the_marks_of_injection_are_read_from_annotations() -> None:
    mark = InjectedState("x")
    assert _upstream.injection(Annotated[int, mark], InjectedState) is mark
    assert _upstream.injection(ToolRuntime, ToolRuntime) is True
    assert _upstream.injection(int, ToolRuntime) is None
    assert _upstream.is_injected(ToolRuntime)
    assert not _upstream.is_injected(int)


def test_a_command_gives_its_update_as_pairs() -> None:
    assert _upstream.update_pairs(Command(update={"a": 1})) == [("a", 1)]
    assert _upstream.update_pairs(Command(update=[("a", 1)])) == [("a", 1)]
    assert _upstream.update_pairs(Command()) == []


def test_a_sync_node_has_func_and_no_afunc_until_it_is_kept_off_the_loop() -> None:
    @before_model
    def hook(state: Any, runtime: Any) -> None: ...

    agent = create_agent(ScriptedChatModel(), [add], middleware=[hook])
    assert _upstream.tools_node(agent) is agent.nodes["tools"].bound
    node: Any = agent.nodes["hook.before_model"].bound
    assert node is agent.builder.nodes["hook.before_model"].runnable
    assert node.afunc is None
    _upstream.keep_off_loop(agent)
    assert node.afunc is not None


def test_create_agent_hangs_its_routers_under_the_names_that_are_replaced() -> None:
    builder = create_agent(ScriptedChatModel(), [add]).builder
    assert list(builder.branches["model"]) == [_upstream.AFTER_MODEL_ROUTER]
    assert list(builder.branches["tools"]) == [_upstream.AFTER_TOOLS_ROUTER]
    assert list(builder.branches["model"][_upstream.AFTER_MODEL_ROUTER].ends.values())[:2] == ["tools", "__end__"]
    assert list(builder.branches["tools"][_upstream.AFTER_TOOLS_ROUTER].ends.values()) == ["model"]


def test_create_agents_model_node_returns_commands_whose_first_holds_the_messages() -> None:
    node = create_agent(ScriptedChatModel(script=["hi"]), []).builder.nodes["model"].runnable
    commands = node.invoke({"messages": []}, _upstream.with_runtime(None))
    assert [type(message) for message in commands[0].update["messages"]] == [AIMessage]


def test_managed_values_are_told_from_channels() -> None:
    hint = get_type_hints(type("S", (), {"__annotations__": {"steps": RemainingSteps}}), include_extras=True)["steps"]
    assert any(_upstream.is_managed_value(item) for item in hint.__metadata__)


def test_a_checkpoint_names_the_nodes_it_is_about_to_run() -> None:
    checkpoint: Any = {
        **empty_checkpoint(),
        "channel_values": {"branch:to:a": None, "branch:to:b": None, "__pregel_tasks": [Send("c", 1)]},
        "channel_versions": {"branch:to:a": 2, "branch:to:b": 2, "branch:to:gone": 2},
        "versions_seen": {"b": {"branch:to:b": 2}},
    }
    assert pending_nodes(checkpoint) == ["a", "c"]


def test_a_paused_graph_stores_what_pending_nodes_reads(open_sqlite: Any) -> None:
    graph = StateGraph(MessagesState)
    graph.add_node("work", lambda state: {})
    graph.set_entry_point("work")
    compiled = graph.compile(checkpointer=open_sqlite(), interrupt_before=["work"])
    config: RunnableConfig = {"configurable": {"thread_id": "1"}}
    compiled.invoke({"messages": []}, config)
    saved = open_sqlite().get_tuple(config)
    assert pending_nodes(saved.checkpoint) == ["work"]
    compiled.invoke(None, config)
    assert pending_nodes(open_sqlite().get_tuple(config).checkpoint) == []


def test_a_compiled_graph_checks_each_checkpoint_it_loads_in_the_method_that_is_overridden() -> None:
    assert "_migrate_checkpoint" in vars(_upstream.CompiledStateGraph)
    assert list(inspect.signature(_upstream.CompiledStateGraph._migrate_checkpoint).parameters) == [
        "self",
        "checkpoint",
    ]


def test_the_checkpoints_of_a_sub_graph_are_stored_under_its_node_and_the_id_of_its_task(open_sqlite: Any) -> None:
    inner = StateGraph(MessagesState)
    inner.add_node("work", lambda state: {})
    inner.set_entry_point("work")
    outer = StateGraph(MessagesState)
    outer.add_node("inner", inner.compile(interrupt_before=["work"]))
    outer.set_entry_point("inner")
    saver = open_sqlite()
    compiled = outer.compile(checkpointer=saver)
    config: RunnableConfig = {"configurable": {"thread_id": "1"}}
    compiled.invoke({"messages": []}, config)
    (task,) = compiled.get_state(config).tasks
    names = {entry.config["configurable"]["checkpoint_ns"] for entry in saver.list(config)}
    assert names == {"", f"inner{_upstream.NAMESPACE_END}{task.id}"}
    nested = f"inner{_upstream.NAMESPACE_END}{task.id}{_upstream.NAMESPACE_SEPARATOR}work{_upstream.NAMESPACE_END}1"
    assert nested == f"inner:{task.id}|work:1"


def test_langchains_file_search_tools_say_who_made_them(tmp_path: Path) -> None:
    from langchain.agents.middleware import FilesystemFileSearchMiddleware, ShellToolMiddleware

    made = FilesystemFileSearchMiddleware(root_path=str(tmp_path))
    assert [_upstream.file_tool_owner(one) for one in made.tools] == [("glob_search", made), ("grep_search", made)]
    assert made.root_path == tmp_path.resolve()
    assert _upstream.is_shell_tool(ShellToolMiddleware(workspace_root=tmp_path).tools[0])
    assert _upstream.file_tool_owner(None) is None


@pytest.mark.skipif(find_spec("deepagents") is None, reason="deepagents is not installed")
def test_deepagents_file_tools_say_who_made_them_also_under_another_name() -> None:
    from deepagents.middleware import FilesystemMiddleware

    made = FilesystemMiddleware()
    for each in made.tools:
        assert _upstream.file_tool_owner(each.model_copy(update={"name": "renamed"})) == (each.name, made)
    assert hasattr(made, "backend")
