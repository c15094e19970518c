"""The pytest plugin of `.ci/upstream_tests`: agentkit in upstream's place, and the expectations.

It is loaded before the suite's conftest, in the tested environment, so it imports nothing but pytest
(and agentkit when asked to).
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

# Imported by the suites' conftest for checkpointers and stores that no test uses in the fast mode.
_SERVICES = (
    "langgraph.checkpoint.postgres",
    "langgraph.checkpoint.postgres.aio",
    "langgraph.store.postgres",
    "psycopg",
    "psycopg_pool",
    "redis",
)

_UNUSED = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--agentkit-in-place", action="store_true", help="serve agentkit's names as upstream's")
    parser.addoption("--agentkit-review", action="store_true", help="HumanInTheLoopMiddleware too")
    parser.addoption("--expectations", type=Path, help="the file of expected failures")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    for name in _SERVICES:
        if not _importable(name):
            sys.modules[name] = _Blank(name)
    if early_config.known_args_namespace.agentkit_in_place:
        put_in_place(early_config.known_args_namespace.agentkit_review)


# agentkit's name -> where langchain's own suite imports it from.
_LANGCHAIN = {"agentkit.agents.create_agent": ("langchain.agents", "langchain.agents.factory")}
_REVIEW = {
    "agentkit.middleware.HumanInTheLoopMiddleware": (
        "langchain.agents.middleware",
        "langchain.agents.middleware.human_in_the_loop",
    ),
}


def put_in_place(review: bool) -> None:
    """Set each name that agentkit has its own version of, in every upstream module that has it.

    Args:
        review: Whether agentkit's HumanInTheLoopMiddleware takes the place of langchain's too. It judges
            more than langchain's, on purpose, so that not all of the tests of that one apply to it.
    """
    from agentkit._moves import MOVES

    importlib.import_module("agentkit.middleware.human_in_the_loop")
    for move in MOVES:
        if move.module.startswith("_"):
            continue
        ours = getattr(importlib.import_module(f"agentkit.prebuilt.{move.module}"), move.name)
        for address in move.old_addresses:
            setattr(importlib.import_module(address.rpartition(".")[0]), move.name, ours)
    for address, modules in {**_LANGCHAIN, **(_REVIEW if review else {})}.items():
        home, _, name = address.rpartition(".")
        ours = getattr(importlib.import_module(home), name)
        for module in modules:
            setattr(importlib.import_module(module), name, ours)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    entries = _expectations(config)
    unused = dict.fromkeys(entry["test"] for entry in entries)
    for item in items:
        for entry in entries:
            if _matches(entry["test"], item.nodeid):
                unused.pop(entry["test"], None)
                strict = not entry.get("may_pass", False)
                item.add_marker(pytest.mark.xfail(reason=entry["reason"], strict=strict))
    if Path(config.args[0]).is_dir() and not config.option.keyword:
        config.stash[_UNUSED] = list(unused)
        if hasattr(config, "workeroutput"):
            config.workeroutput["unused"] = list(unused)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[_UNUSED] = getattr(node, "workeroutput", {}).get("unused", [])


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.stash.get(_UNUSED, []):
        session.exitstatus = pytest.ExitCode.USAGE_ERROR


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for test in config.stash.get(_UNUSED, []):
        terminalreporter.write_line(f"ERROR {config.option.expectations.name}: no such test: {test}")


def _matches(pattern: str, nodeid: str) -> bool:
    """Match with `*` as the only wildcard: a test's id is full of brackets."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), nodeid) is not None


def _expectations(config: pytest.Config) -> list[dict[str, Any]]:
    path: Path | None = config.option.expectations
    if path is None or not path.exists():
        return []
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    entries: list[dict[str, Any]] = tomllib.loads(path.read_text()).get("expected_failure", [])
    in_place = config.option.agentkit_in_place
    return [entry for entry in entries if in_place or entry.get("original", False)]


def _importable(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


class _Blank(ModuleType):
    """A module in which every name is an empty class."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})
