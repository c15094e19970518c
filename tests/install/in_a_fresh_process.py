"""What a program sees of `langgraph.prebuilt` after `agentkit.install()`."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from types import ModuleType

import pytest

import agentkit
from agentkit._moves import MOVES
from agentkit.testing import ScriptedChatModel, call

SUBMODULES = ["chat_agent_executor", "tool_node", "tool_validator", "interrupt"]
UPSTREAM = {
    name: import_module(name)
    for name in ["langgraph.prebuilt", *(f"langgraph.prebuilt.{module}" for module in SUBMODULES)]
}


@pytest.fixture
def installed() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agentkit.install()
    yield
    agentkit.uninstall()


def look_up(address: str) -> object:
    module, _, name = address.rpartition(".")
    return getattr(import_module(module), name)


@pytest.mark.parametrize("address", [address for move in MOVES if move.since for address in move.old_addresses])
def test_each_deprecated_name_is_agentkits_at_each_of_its_addresses(installed: None, address: str) -> None:
    module, _, name = address.rpartition(".")
    assert look_up(address) is look_up(f"agentkit.prebuilt{module.removeprefix('langgraph.prebuilt')}.{name}")
    assert look_up(address) is not getattr(UPSTREAM[module], name)


@pytest.mark.parametrize(
    "address",
    [
        address
        for move in MOVES
        if not move.since
        for address in move.old_addresses
        if move.name in vars(UPSTREAM.get(address.rpartition(".")[0], ModuleType("none")))
    ],
)
def test_each_name_that_upstream_keeps_stays_upstreams(installed: None, address: str) -> None:
    module, _, name = address.rpartition(".")
    assert look_up(address) is getattr(UPSTREAM[module], name)


def test_a_program_that_imports_langgraph_prebuilt_runs_on_agentkit(installed: None) -> None:
    from langgraph.prebuilt import create_react_agent

    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    agent = create_react_agent(ScriptedChatModel(script=[call("add", a=1, b=2)]), [add])
    assert agent.invoke({"messages": [("user", "1 + 2?")]})["messages"][-1].content == "done: 3"
    assert create_react_agent.__module__.startswith("agentkit.")


def test_a_star_import_gets_agentkits_names_and_upstreams_others(installed: None) -> None:
    namespace: dict[str, object] = {}
    exec("from langgraph.prebuilt import *", namespace)
    assert namespace["create_react_agent"] is look_up("agentkit.prebuilt.create_react_agent")
    assert namespace["ToolNode"] is UPSTREAM["langgraph.prebuilt"].ToolNode


@pytest.mark.parametrize("address", UPSTREAM)
def test_a_star_import_and_dir_find_what_they_find_in_upstreams_module(installed: None, address: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        served: dict[str, object] = {}
        exec(f"from {address} import *", served)
        plain = [name for name in vars(UPSTREAM[address]) if not name.startswith("_")]
        assert set(served) >= set(getattr(UPSTREAM[address], "__all__", plain))
        assert set(dir(sys.modules[address])) >= set(dir(UPSTREAM[address]))
        for name in {move.name for move in MOVES if f"{address}.{move.name}" in move.old_addresses} & set(served):
            assert served[name] is look_up(f"{address}.{name}")


def test_importing_a_legacy_type_warns_once_and_at_the_users_line(installed: None) -> None:
    with pytest.warns(agentkit.AgentkitDeprecationWarning) as seen:
        from langgraph.prebuilt.chat_agent_executor import AgentState  # noqa: F401
    assert [warning.filename for warning in seen] == [__file__]


def test_installing_twice_changes_nothing_and_one_uninstall_undoes_it() -> None:
    agentkit.install()
    first = sys.modules["langgraph.prebuilt"]
    agentkit.install()
    assert sys.modules["langgraph.prebuilt"] is first
    agentkit.uninstall()
    agentkit.uninstall()
    assert {name: sys.modules[name] for name in UPSTREAM} == UPSTREAM
    assert import_module("langgraph").prebuilt is UPSTREAM["langgraph.prebuilt"]


def test_uninstalling_leaves_upstreams_modules_as_they_were() -> None:
    before = {name: dict(vars(module)) for name, module in UPSTREAM.items()}
    agentkit.install()
    look_up("langgraph.prebuilt.create_react_agent")
    agentkit.uninstall()
    assert {name: dict(vars(module)) for name, module in UPSTREAM.items()} == before


def test_names_imported_before_keep_working_as_upstreams() -> None:
    held = UPSTREAM["langgraph.prebuilt"].create_react_agent
    agentkit.install()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            agent = held(ScriptedChatModel(script=["hello"]), [])
        assert agent.invoke({"messages": [("user", "hi")]})["messages"][-1].content == "hello"
        assert held.__module__ == "langgraph.prebuilt.chat_agent_executor"
    finally:
        agentkit.uninstall()


def test_installing_too_late_names_the_modules_that_hold_old_names(monkeypatch: pytest.MonkeyPatch) -> None:
    late = ModuleType("app_imported_early")
    vars(late)["make_agent"] = UPSTREAM["langgraph.prebuilt"].create_react_agent
    monkeypatch.setitem(sys.modules, late.__name__, late)
    try:
        with pytest.warns(UserWarning, match=r"app_imported_early \(create_react_agent\)") as seen:
            agentkit.install()
        assert seen[0].filename == __file__
    finally:
        agentkit.uninstall()


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("import langgraph.prebuilt as lp", r"app \(langgraph\.prebuilt\)"),
        ("from langgraph import prebuilt", r"app \(langgraph\.prebuilt\)"),
        (
            "from langgraph.prebuilt import chat_agent_executor as cae",
            r"app \(langgraph\.prebuilt\.chat_agent_executor\)",
        ),
    ],
)
def test_installing_too_late_names_the_modules_that_hold_an_old_module(
    monkeypatch: pytest.MonkeyPatch, statement: str, named: str
) -> None:
    late = ModuleType("app")
    exec(statement, vars(late))
    monkeypatch.setitem(sys.modules, "app", late)
    try:
        with pytest.warns(UserWarning, match=named):
            agentkit.install()
    finally:
        agentkit.uninstall()


def test_a_module_that_imported_the_address_only_gets_agentkits_and_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    early = ModuleType("app")
    exec("import langgraph.prebuilt", vars(early))
    monkeypatch.setitem(sys.modules, "app", early)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agentkit.install()
    try:
        found = vars(early)["langgraph"].prebuilt.create_react_agent
        assert found is look_up("agentkit.prebuilt.create_react_agent")
    finally:
        agentkit.uninstall()


def test_installing_in_time_warns_about_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agentkit.install()
    agentkit.uninstall()


def test_installing_from_many_threads_at_once_installs_once() -> None:
    start = threading.Barrier(8)
    modules: list[ModuleType] = []

    def work() -> None:
        start.wait()
        agentkit.install()
        modules.append(sys.modules["langgraph.prebuilt"])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    agentkit.uninstall()
    assert len(modules) == 8
    assert len(set(map(id, modules))) == 1
    assert sys.modules["langgraph.prebuilt"] is UPSTREAM["langgraph.prebuilt"]


def test_an_unknown_name_is_an_attribute_error_that_names_the_module(installed: None) -> None:
    with pytest.raises(AttributeError, match=r"langgraph\.prebuilt.*no_such_name"):
        look_up("langgraph.prebuilt.no_such_name")


@pytest.mark.parametrize("gone", ["tool_validator", "interrupt", "chat_agent_executor"])
def test_a_submodule_that_upstream_deleted_is_served_whole(monkeypatch: pytest.MonkeyPatch, gone: str) -> None:
    address = f"langgraph.prebuilt.{gone}"
    hide(monkeypatch, address)
    agentkit.install()
    try:
        assert sys.modules[address] is not UPSTREAM[address]
        assert find_spec(address) is not None
        for move in MOVES:
            if move.module == gone:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    assert look_up(f"{address}.{move.name}") is look_up(f"agentkit.prebuilt.{gone}.{move.name}")
    finally:
        agentkit.uninstall()
    assert address not in sys.modules


def hide(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Make upstream look as if it had never shipped a submodule."""
    parent, _, child = address.rpartition(".")
    real = PathFinder.find_spec
    monkeypatch.delitem(sys.modules, address)
    monkeypatch.delattr(UPSTREAM[parent], child)
    monkeypatch.setattr(
        PathFinder,
        "find_spec",
        classmethod(lambda cls, name, *rest: None if name == address else real(name, *rest)),
    )
