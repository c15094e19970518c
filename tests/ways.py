"""Call an agent, a graph or a node both ways, so that one test covers sync and async."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest


class Sync:
    """`invoke` and `stream`."""

    name = "sync"

    @staticmethod
    def invoke(runnable: Any, value: Any, config: Any = None, **kwargs: Any) -> Any:
        return runnable.invoke(value, config, **kwargs)

    @staticmethod
    def stream(runnable: Any, value: Any, config: Any = None, **kwargs: Any) -> list[Any]:
        return list(runnable.stream(value, config, **kwargs))


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


both_ways = pytest.mark.parametrize("way", [Sync, Async], ids=lambda way: way.name)
