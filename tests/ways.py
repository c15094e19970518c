"""Call an agent, a graph or a node both ways, so that one test covers sync and async."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


class Sync:
    """`invoke` and `stream`."""

    name = "sync"

    @staticmethod
    def invoke(runnable: Any, value: Any, config: Any = None, **kwargs: Any) -> Any:
        return runnable.invoke(value, config, **kwargs)

    @staticmethod
    def stream(runnable: Any, value: Any, config: Any = None, **kwargs: Any) -> list[Any]:
        return list(runnable.stream(value, config, **kwargs))

    @staticmethod
    def invoke_stored(file: Path, build: Callable[[Any], Any], value: Any, config: Any = None) -> Any:
        """Open the SQLite file, build an agent on it, call it and close all: what one process does."""
        with SqliteSaver.from_conn_string(str(file)) as saver:
            return build(saver).invoke(value, config)


class Async:
    """`ainvoke` and `astream`, each in an event loop of its own."""

    name = "async"

    @staticmethod
    def invoke(runnable: Any, value: Any, config: Any = None, **kwargs: Any) -> Any:
        return asyncio.run(runnable.ainvoke(value, config, **kwargs))

    @staticmethod
    def stream(runnable: Any, value: Any, config: Any = None, **kwargs: Any) -> list[Any]:
        async def collect() -> list[Any]:
            return [chunk async for chunk in runnable.astream(value, config, **kwargs)]

        return asyncio.run(collect())

    @staticmethod
    def invoke_stored(file: Path, build: Callable[[Any], Any], value: Any, config: Any = None) -> Any:
        async def run() -> Any:
            async with AsyncSqliteSaver.from_conn_string(str(file)) as saver:
                return await build(saver).ainvoke(value, config)

        return asyncio.run(run())


both_ways = pytest.mark.parametrize("way", [Sync, Async], ids=lambda way: way.name)
