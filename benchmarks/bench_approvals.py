"""Ratios of an agent with agentkit's gate to one with langchain's, in CPU time, measured side by side.

A gated turn is one that asks and one that approves: two runs. In every round each contender takes some turns, in an
order that rotates; a figure is the median of the ratios within a round. `make bench` runs it; `--profile` shows where
agentkit's CPU goes.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import pstats
import statistics
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from langchain.agents import create_agent as langchain_create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware as LangchainGate
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
warnings.simplefilter("ignore")

from agentkit import hitl  # noqa: E402
from agentkit.agents import create_agent  # noqa: E402
from agentkit.testing import ScriptedChatModel, call  # noqa: E402
from tests import postgres  # noqa: E402

LIMITS = {"turn": 1.10, "build": 1.3}
GO: Any = {"messages": [("user", "go")]}
YES = [{"type": "approve"}]
TURNS, BUILDS = 6, 10  # of each contender in a round

Answer = Callable[[Any, Any], Any]


@tool
def send(x: int) -> str:
    """Send."""
    return f"sent {x}"


def model() -> ScriptedChatModel:
    return ScriptedChatModel(script=[call("send", "c", x=1), "end"])


def build_langchain(**kwargs: Any) -> Any:
    return langchain_create_agent(model(), [send], middleware=[LangchainGate({"send": True})], **kwargs)


def build_bare(**kwargs: Any) -> Any:
    return langchain_create_agent(model(), [send], **kwargs)


def build_agentkit(**kwargs: Any) -> Any:
    return create_agent(model(), [send], interrupt_on={"send": True}, **kwargs)


def by_command(agent: Any, config: Any) -> Any:
    return agent.invoke(Command(resume={"decisions": YES}), config)


def by_resume(agent: Any, config: Any) -> Any:
    return hitl.resume(agent, config, YES)


CONTENDERS: dict[str, tuple[Callable[..., Any], Answer]] = {
    "langchain": (build_langchain, by_command),
    "bare Command": (build_agentkit, by_command),
    "hitl.resume": (build_agentkit, by_resume),
}


def gated_turn(agent: Any, answer: Answer) -> Callable[[], None]:
    """A conversation on a thread of its own: ask, approve, end."""
    numbers = iter(range(10**9))

    def turn() -> None:
        config = {"configurable": {"thread_id": f"{id(agent)}-{next(numbers)}"}}
        agent.invoke(GO, config)
        result = answer(agent, config)
        assert result["messages"][-1].content == "end"

    return turn


def cpu(action: Callable[[], Any], times: int) -> float:
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        for _ in range(times):
            action()
        return time.process_time() - start
    finally:
        gc.enable()


def pairs(actions: dict[str, Callable[[], Any]], times: int, rounds: int) -> dict[str, float]:
    """The median ratio of each action to the first."""
    names = list(actions)
    for name in names:
        cpu(actions[name], 2)
    ratios: dict[str, list[float]] = {name: [] for name in names[1:]}
    for number in range(rounds):
        order = names[number % len(names) :] + names[: number % len(names)]
        used = {name: cpu(actions[name], times) for name in order}
        for name, found in ratios.items():
            found.append(used[name] / used[names[0]])
    return {name: statistics.median(found) for name, found in ratios.items()}


@contextmanager
def savers() -> Iterator[dict[str, Callable[[], Any]]]:
    """Each kind of saver, a new one at each call."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        numbers = iter(range(10**9))

        def sqlite() -> Any:
            return stack.enter_context(SqliteSaver.from_conn_string(str(folder / f"{next(numbers)}.sqlite")))

        found: dict[str, Callable[[], Any]] = {"memory": InMemorySaver, "sqlite": sqlite}
        if postgres.find_binaries() is not None:
            from langgraph.checkpoint.postgres import PostgresSaver

            url = stack.enter_context(postgres.server())

            def connect() -> Any:
                saver = stack.enter_context(PostgresSaver.from_conn_string(url))
                saver.setup()
                return saver

            found["postgres"] = connect
        yield found


def bench_turns(rounds: int) -> dict[str, float]:
    figures = {}
    with savers() as kinds:
        for kind, make in kinds.items():
            actions = {
                name: gated_turn(build(checkpointer=make()), answer) for name, (build, answer) in CONTENDERS.items()
            }
            for name, value in pairs(actions, TURNS, rounds).items():
                figures[f"turn, {kind}, {name}"] = value
    return figures


def bench_build(rounds: int) -> dict[str, float]:
    figures = {}
    for base, build in (("create_agent and langchain's gate", build_langchain), ("create_agent alone", build_bare)):
        actions = {"langchain": build, "agentkit": build_agentkit}
        figures[f"build, against {base}"] = pairs(actions, BUILDS, rounds)["agentkit"]
    return figures


class Counting(InMemorySaver):
    """Counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: Counter[str] = Counter()

    def get_tuple(self, config: Any) -> Any:
        self.calls["get_tuple"] += 1
        return super().get_tuple(config)

    def put(self, *args: Any) -> Any:
        self.calls["put"] += 1
        return super().put(*args)

    def put_writes(self, *args: Any) -> None:
        self.calls["put_writes"] += 1
        super().put_writes(*args)

    def list(self, *args: Any, **kwargs: Any) -> Any:
        self.calls["list"] += 1
        return super().list(*args, **kwargs)


def count_saver_calls() -> dict[str, dict[str, int]]:
    """The saver calls of one gated turn."""
    counts = {}
    for name, (build, answer) in CONTENDERS.items():
        saver = Counting()
        gated_turn(build(checkpointer=saver), answer)()
        counts[name] = dict(sorted(saver.calls.items()))
    return counts


def profile(name: str, turns: int, lines: int) -> None:
    """Print where the CPU of gated turns goes, agentkit's own functions first by what they and what they call take."""
    build, answer = CONTENDERS[name]
    turn = gated_turn(build(checkpointer=InMemorySaver()), answer)
    turn()
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(turns):
        turn()
    profiler.disable()
    stats = pstats.Stats(profiler)
    stats.sort_stats("cumulative").print_stats("agentkit/", lines)
    stats.sort_stats("tottime").print_stats(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=41, help="rounds per figure (41)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--profile", choices=list(CONTENDERS), help="show where its CPU goes, in memory")
    options = parser.parse_args()
    if options.profile:
        profile(options.profile, 100, 40)
        return 0
    figures = bench_turns(options.rounds) | bench_build(options.rounds)
    counts = count_saver_calls()
    if options.json:
        print(json.dumps({"ratios": figures, "saver calls": counts}, indent=1))
        return 0
    print(f"{'agentkit / langchain, CPU, median of pairs':<52} ratio  limit")
    for name, value in figures.items():
        limit = LIMITS[name.partition(",")[0]]
        print(f"{name:<52} {value:5.2f}  {limit:.2f} {'ok' if value <= limit else 'MISSED'}")
    print("\nsaver calls of one gated turn")
    for name, calls in counts.items():
        print(f"{name:<20} {sum(calls.values()):3d}  {', '.join(f'{key} {number}' for key, number in calls.items())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
