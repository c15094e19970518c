"""One bench for every kind of agent, run sync and async, from memory and from SQLite."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command
from packaging.version import Version

from agentkit import hitl
from agentkit.agents import create_agent
from agentkit.prebuilt import create_react_agent
from agentkit.testing import ScriptedChatModel

KINDS = ["create_agent", "react-v1", "react-v2", "create_deep_agent"]
OLD_DEEPAGENTS = find_spec("deepagents") is not None and Version(version("deepagents")) < Version("0.7.15")
needs_deepagents = pytest.mark.skipif(find_spec("deepagents") is None, reason="deepagents is not installed")


def build(kind: str, *args: Any, **kwargs: Any) -> Any:
    """Build an agent of a kind."""
    if kind == "create_deep_agent":
        if find_spec("deepagents") is None:
            pytest.skip("deepagents is not installed")
        from agentkit.agents import create_deep_agent

        return create_deep_agent(*args, **kwargs)
    if kind == "create_agent":
        return create_agent(*args, **kwargs)
    return create_react_agent(*args, version=kind.removeprefix("react-"), **kwargs)


class Tools:
    """A few tools, and what ran."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, Any]] = []

        @tool
        def send(x: int) -> str:
            "Send."
            self.ran.append(("send", x))
            return f"sent {x}"

        @tool
        def delete_file(x: int) -> str:
            "Delete."
            self.ran.append(("delete_file", x))
            return f"deleted {x}"

        @tool
        def delete_draft(x: int) -> str:
            "Delete a draft."
            self.ran.append(("delete_draft", x))
            return f"draft deleted {x}"

        @tool
        def look(x: int) -> str:
            "Look."
            self.ran.append(("look", x))
            return f"seen {x}"

        self.all: list[BaseTool] = [send, delete_file, delete_draft, look]


class Bench:
    """Builds agents of one kind and drives them one way."""

    def __init__(self, kind: str, mode: str, store: str, path: Path) -> None:
        self.kind, self.mode, self.store, self.path = kind, mode, store, path
        self.tools = Tools()
        self.config: dict[str, Any] = {"configurable": {"thread_id": "t"}}
        self.saver: Any = InMemorySaver()
        self._close: list[Any] = []
        self._made: Any = None

    @property
    def ran(self) -> list[tuple[str, Any]]:
        return self.tools.ran

    async def open(self) -> None:
        if self.store == "memory":
            return
        if self.mode == "sync":
            context: Any = SqliteSaver.from_conn_string(str(self.path))
            self.saver = context.__enter__()
            self._close.append(partial(context.__exit__, None, None, None))
        else:
            context = AsyncSqliteSaver.from_conn_string(str(self.path))
            self.saver = await context.__aenter__()
            self._close.append(partial(context.__aexit__, None, None, None))

    async def close(self) -> None:
        for close in self._close:
            if (waiting := close()) is not None and hasattr(waiting, "__await__"):
                await waiting
        self._close.clear()

    async def restart(self) -> Any:
        """Open the stored thread anew with a new agent, as a new process would."""
        if self.store == "sqlite" and self.mode == "async":
            # A run that ends in an error cancels its other tasks, also in the middle of a write, and within one
            # process the file then stays locked. What another process would see is what a copy holds.
            copy = self.path.with_name(f"{self.path.stem}-.sqlite")
            with closing(sqlite3.connect(self.path)) as old, closing(sqlite3.connect(copy)) as new:
                old.backup(new)
            self.path = copy
        else:
            await self.close()
        await self.open()
        return self._made()

    def agent(self, script: Sequence[Any], tools: Any = None, **kwargs: Any) -> Any:
        def make() -> Any:
            arguments = {"checkpointer": self.saver, **kwargs}
            return build(
                self.kind,
                ScriptedChatModel(script=list(script)),
                self.tools.all if tools is None else tools,
                **arguments,
            )

        self._made = make
        return make()

    async def invoke(self, agent: Any, value: Any = "go", config: Any = None, **kwargs: Any) -> Any:
        given = {"messages": [("user", value)]} if isinstance(value, str) else value
        config = config or self.config
        return (
            agent.invoke(given, config, **kwargs)
            if self.mode == "sync"
            else await agent.ainvoke(given, config, **kwargs)
        )

    async def answer(self, agent: Any, answer: Any, config: Any = None) -> Any:
        """Answer with a bare `Command`, as a front-end does."""
        return await self.invoke(agent, Command(resume=answer), config)

    async def refused(self, agent: Any, answer: Any, match: str = "", config: Any = None) -> None:
        """Answer with a bare `Command` that can't be taken: the gate interrupts again and says why."""
        result = await self.answer(agent, answer, config)
        values = [found.value for found in result["__interrupt__"]]
        errors = [(value[0] if isinstance(value, list) else value).get("error", "") for value in values]
        assert any(error and re.search(match, error) for error in errors), errors

    async def pending(self, agent: Any, config: Any = None) -> list[hitl.PendingAction]:
        config = config or self.config
        return hitl.pending(agent, config) if self.mode == "sync" else await hitl.apending(agent, config)

    async def resume(self, agent: Any, decisions: Any, config: Any = None) -> Any:
        config = config or self.config
        if self.mode == "sync":
            return hitl.resume(agent, config, decisions)
        return await hitl.aresume(agent, config, decisions)


@pytest.fixture(params=["sync", "async"])
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def bench(kind: str, mode: str, store: str, tmp_path: Path) -> AsyncIterator[Bench]:
    """Every kind of agent, sync and async, from memory and from SQLite."""
    made = Bench(kind, mode, store, tmp_path / "threads.sqlite")
    await made.open()
    yield made
    await made.close()


@pytest.fixture
def simple(tmp_path: Path) -> Bench:
    """`create_agent`, sync, from memory: for what is the same everywhere."""
    return Bench("create_agent", "sync", "memory", tmp_path / "threads.sqlite")


def results(result: Any) -> dict[str, tuple[str, str]]:
    """The tool messages by tool-call id: status and content."""
    return {m.tool_call_id: (m.status, str(m.content)) for m in result["messages"] if m.type == "tool"}
