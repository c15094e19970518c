"""agentkit.prebuilt has the names of langgraph.prebuilt: it misses none, hides none, adds none."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from typing import Any, get_args, get_type_hints

import pytest

import agentkit.prebuilt
from agentkit._moves import BY_NAME, MOVES
from tests.legacy import needs_upstream, upstream_react_agent

SUBMODULES = ["chat_agent_executor", "tool_node", "tool_validator", "interrupt"]
# Arguments that create_react_agent has here and not upstream.
ADDED_ARGUMENTS = ["middleware", "interrupt_on", "permissions", "handle_tool_errors"]


def upstream(module: str = "") -> Any:
    return pytest.importorskip(f"langgraph.prebuilt{module}", reason="this langgraph no longer has the module")


def public(module: Any) -> set[str]:
    """The public names that a module's source defines, without what it imported."""
    names: set[str] = set()
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


@needs_upstream
def test_the_package_exports_what_upstream_exports() -> None:
    assert set(agentkit.prebuilt.__all__) == set(upstream().__all__)
    for name in agentkit.prebuilt.__all__:
        assert getattr(agentkit.prebuilt, name) is not None
    assert set(agentkit.prebuilt.__all__) <= set(dir(agentkit.prebuilt))


@needs_upstream
@pytest.mark.parametrize("module", SUBMODULES)
def test_a_submodule_has_every_public_name_of_upstreams(module: str) -> None:
    ours = importlib.import_module(f"agentkit.prebuilt.{module}")
    theirs = public(upstream(f".{module}")) - {"StateT", "ContextT"}
    missing = {name for name in theirs if not hasattr(ours, name)}
    assert missing == set()


@needs_upstream
@pytest.mark.parametrize("module", ["chat_agent_executor"])
def test_a_submodules_all_is_upstreams(module: str) -> None:
    ours = importlib.import_module(f"agentkit.prebuilt.{module}")
    assert set(ours.__all__) == set(upstream(f".{module}").__all__)


# ToolCallTransformer came with langgraph-prebuilt 1.1.0.
HERE = [move for move in MOVES if not move.top or move.name in agentkit.prebuilt.__all__]


@pytest.mark.parametrize("move", HERE, ids=lambda move: move.new)
def test_every_row_of_the_table_can_be_imported_from_its_new_addresses(move: Any) -> None:
    for old in move.old_addresses:
        module, _, name = old.replace("langgraph.prebuilt", "agentkit.prebuilt", 1).rpartition(".")
        assert getattr(importlib.import_module(module), name) is not None


@needs_upstream
@pytest.mark.parametrize("move", HERE, ids=lambda move: move.old)
def test_every_row_of_the_table_is_a_name_of_upstreams(move: Any) -> None:
    if move.name in {"StateSchemaType", "StructuredResponse", "StructuredResponseSchema"}:
        pytest.importorskip("langgraph.prebuilt.chat_agent_executor")
    for old in move.old_addresses:
        module, _, name = old.rpartition(".")
        assert hasattr(importlib.import_module(module), name)


@pytest.mark.parametrize("name", [m.name for m in MOVES if m.instead])
def test_every_replacement_exists(name: str) -> None:
    module, _, attribute = BY_NAME[name].instead.rpartition(".")
    assert hasattr(importlib.import_module(module), attribute)


@needs_upstream
def test_create_react_agent_has_upstreams_arguments_in_their_order() -> None:
    theirs = list(inspect.signature(upstream().create_react_agent).parameters.values())
    ours = list(inspect.signature(agentkit.prebuilt.create_react_agent).parameters.values())
    kept = [p for p in ours if p.name not in ADDED_ARGUMENTS]
    assert [(p.name, p.kind, p.default) for p in kept] == [(p.name, p.kind, p.default) for p in theirs]


@needs_upstream
@pytest.mark.parametrize("name", ["HumanInterrupt", "HumanInterruptConfig", "ActionRequest", "HumanResponse"])
def test_the_interrupt_types_have_upstreams_fields(name: str) -> None:
    theirs, ours = (
        getattr(importlib.import_module(m), name) for m in ("langgraph.prebuilt.interrupt", "agentkit.agents.interrupt")
    )
    assert list(get_type_hints(ours)) == list(get_type_hints(theirs))
    assert ours.__required_keys__ == theirs.__required_keys__
    if name == "HumanResponse":
        assert get_args(get_type_hints(ours)["type"]) == get_args(get_type_hints(theirs)["type"])


def test_the_tools_are_instances_of_upstreams_classes() -> None:
    from langgraph.prebuilt import InjectedState, InjectedStore, ToolNode, ToolRuntime

    assert issubclass(agentkit.prebuilt.ToolNode, ToolNode)
    assert agentkit.prebuilt.InjectedState is InjectedState
    assert agentkit.prebuilt.InjectedStore is InjectedStore
    assert agentkit.prebuilt.ToolRuntime is ToolRuntime


def test_importing_agentkit_alone_imports_no_langchain() -> None:
    code = (
        "import sys, agentkit; print([m for m in sys.modules if m.startswith(('lang', 'pydantic', 'rich', 'libcst'))])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_a_star_import_gives_the_names_and_nothing_else() -> None:
    names: dict[str, Any] = {}
    exec("from agentkit.prebuilt import *", names)
    assert set(names) - {"__builtins__"} == set(agentkit.prebuilt.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    for module in (
        "agentkit",
        "agentkit.prebuilt",
        "agentkit.agents",
        "agentkit.middleware",
        "agentkit.prebuilt.tool_node",
    ):
        with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
            _ = importlib.import_module(module).nonsense


@needs_upstream
def test_the_legacy_alias_is_the_function() -> None:
    from agentkit.prebuilt import chat_agent_executor

    assert chat_agent_executor.create_tool_calling_executor is chat_agent_executor.create_react_agent
    assert upstream_react_agent is not None


def test_a_module_is_there_after_importing_agentkit_alone() -> None:
    code = "import agentkit; agentkit.hitl.pending; agentkit.prebuilt.ToolNode; agentkit.agents.create_agent"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_dir_shows_the_public_names() -> None:
    assert {"install", "uninstall", "hitl", "prebuilt", "agents"} <= set(dir(agentkit))
    assert [name for name in dir(agentkit) if name.startswith("_")] == ["__version__"]
    assert all(hasattr(agentkit, name) for name in dir(agentkit))
