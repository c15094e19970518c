"""Ratios of agentkit's create_react_agent to upstream's and to bare create_agent, measured side by side.

Each figure is the median over rounds in which every contender runs in turn, so that a machine that slows
down slows all of them. Run it with `make bench`; `--rounds` and `--json` are for longer looks.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

warnings.simplefilter("ignore")

from langgraph.prebuilt import create_react_agent as upstream_react_agent  # noqa: E402

from agentkit.prebuilt import create_react_agent  # noqa: E402

TURNS = (1, 20, 100)
TARGETS = {
    "turn vs upstream": 1.0,
    "turn vs create_agent": 1.05,
    "build vs create_agent": 1.3,
    "bytes vs upstream": 0.55,
    "import agentkit vs langchain.agents": 0.05,
    "import agentkit.prebuilt vs langchain.agents": 1.05,
}


@tool
def add(a: int, b: int) -> str:
    """Add two numbers."""
    return str(a + b)


class LoopingModel(BaseChatModel):
    """Calls a tool on each turn until it has taken `turns` turns since the last human message."""

    turns: int

    @property
    def _llm_type(self) -> str:
        return "looping"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(t) for t in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        done = sum(isinstance(message, ToolMessage) for message in messages)
        if done < self.turns:
            call = {"name": "add", "args": {"a": done, "b": 1}, "id": f"call_{done}", "type": "tool_call"}
            message = AIMessage("", tool_calls=[call], id=f"ai-{done}")
        else:
            message = AIMessage("done", id=f"ai-{done}")
        return ChatResult(generations=[ChatGeneration(message=message)])


def build_upstream(model: Any, **kwargs: Any) -> Any:
    return upstream_react_agent(model, [add], prompt="You add.", **kwargs)


def build_agentkit(model: Any, **kwargs: Any) -> Any:
    return create_react_agent(model, [add], prompt="You add.", **kwargs)


def build_create_agent(model: Any, **kwargs: Any) -> Any:
    return create_agent(model, [add], system_prompt="You add.", **kwargs)


CONTENDERS: dict[str, Callable[..., Any]] = {
    "upstream": build_upstream,
    "agentkit": build_agentkit,
    "create_agent": build_create_agent,
}


def timed(action: Callable[[], Any]) -> float:
    gc.collect()
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def side_by_side(actions: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Run every contender in turn, in an order that rotates, and collect its times."""
    names = list(actions)
    for name in names:
        actions[name]()
    times: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            times[name].append(timed(actions[name]))
    return times


def ratio(times: dict[str, list[float]], base: str) -> float:
    """The median of the pairwise ratios of agentkit to another contender."""
    return statistics.median(ours / theirs for ours, theirs in zip(times["agentkit"], times[base], strict=True))


def bench_build(rounds: int) -> dict[str, float]:
    model = LoopingModel(turns=1)

    def ten(build: Callable[..., Any]) -> Callable[[], Any]:
        return lambda: [build(model) for _ in range(10)]

    times = side_by_side({name: ten(build) for name, build in CONTENDERS.items()}, rounds)
    return {"build vs create_agent": ratio(times, "create_agent"), "build vs upstream": ratio(times, "upstream")}


def bench_turns(turns: int, rounds: int, *, sqlite: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        actions = {}
        for name, build in CONTENDERS.items():
            connection = sqlite3.connect(Path(folder) / f"{name}.sqlite", check_same_thread=False)
            saver: Any = SqliteSaver(connection) if sqlite else InMemorySaver()
            agent = build(LoopingModel(turns=turns), checkpointer=saver)
            actions[name] = _conversation(agent)
        times = side_by_side(actions, rounds)
    where = "sqlite" if sqlite else "memory"
    return {
        f"turn vs upstream ({turns} turns, {where})": ratio(times, "upstream"),
        f"turn vs create_agent ({turns} turns, {where})": ratio(times, "create_agent"),
    }


def _conversation(agent: Any) -> Callable[[], Any]:
    thread = iter(range(10**9))

    def run() -> None:
        config = {"configurable": {"thread_id": str(next(thread))}, "recursion_limit": 1000}
        agent.invoke({"messages": [("user", "add")]}, config)

    return run


def bench_bytes(turns: int) -> dict[str, float]:
    sizes = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, build in CONTENDERS.items():
            path = Path(folder) / f"{name}.sqlite"
            connection = sqlite3.connect(path, check_same_thread=False)
            _conversation(build(LoopingModel(turns=turns), checkpointer=SqliteSaver(connection)))()
            connection.execute("pragma wal_checkpoint(truncate)")
            connection.close()
            sizes[name] = os.path.getsize(path)
    return {
        f"bytes vs upstream ({turns} turns)": sizes["agentkit"] / sizes["upstream"],
        f"bytes vs create_agent ({turns} turns)": sizes["agentkit"] / sizes["create_agent"],
    }


def bench_import(rounds: int) -> dict[str, float]:
    modules = ("agentkit", "agentkit.prebuilt", "langchain.agents")

    def importing(module: str) -> float:
        code = f"import time; t = time.perf_counter(); import {module}"
        if module == "agentkit.prebuilt":
            code += "; from agentkit.prebuilt import create_react_agent"
        code += "; print(time.perf_counter() - t)"
        return float(subprocess.check_output([sys.executable, "-c", code], text=True))

    times: dict[str, list[float]] = {module: [] for module in modules}
    for turn in range(rounds + 1):
        for module in modules:
            seconds = importing(module)
            if turn:  # the first round writes the byte code
                times[module].append(seconds)
    base = times["langchain.agents"]
    return {
        f"import {module} vs langchain.agents": statistics.median(
            a / b for a, b in zip(times[module], base, strict=True)
        )
        for module in modules[:2]
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="rounds per figure (15)")
    parser.add_argument("--json", action="store_true", help="print the ratios as JSON")
    options = parser.parse_args()
    rounds: int = options.rounds
    figures = bench_import(min(rounds, 7)) | bench_build(rounds)
    for turns in TURNS:
        for sqlite in (False, True):
            figures |= bench_turns(turns, rounds if turns < 100 else max(5, rounds // 3), sqlite=sqlite)
    figures |= bench_bytes(100)
    if options.json:
        print(json.dumps(figures, indent=1))
        return 0
    print(f"{'agentkit / the other, median of pairs':<52} ratio  to reach")
    for name, value in figures.items():
        target = next((limit for start, limit in TARGETS.items() if name.startswith(start)), None)
        mark = "" if target is None else f"{target:8.2f} {'ok' if value <= target else 'MISSED'}"
        print(f"{name:<52} {value:5.2f} {mark}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
