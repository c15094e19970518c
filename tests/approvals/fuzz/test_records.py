"""Random agents, answers, races and failures: a gated call runs once, in a form that was approved, and threads end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from langgraph.types import Command

from agentkit import hitl
from tests.approvals.conftest import KINDS
from tests.approvals.shapes import SHAPES

from .switch import AT, PATIENCE, PipeSwitch, TaskSwitch, ThreadSwitch
from .world import GATES, GO, Call, Plan, Stage, World, check, errors, shown

EXAMPLES = settings.default.max_examples * (
    20 if settings.default.max_examples > 16 else 4
)  # a few seconds in `make test`
SHARES = {"memory": 4, "sqlite": 3, "postgres": 1}  # of eight parts
PARTS = [f"{saver}-{part}" for saver, parts in SHARES.items() for part in range(parts)]

calls = st.builds(
    Call, st.sampled_from(["send", "send", "send", "look", "book"]), st.sampled_from(["", "", "", "raise", "cancel"])
)
scripts = st.lists(st.lists(calls, min_size=1, max_size=3).map(tuple), min_size=1, max_size=2).map(tuple)
plans = st.builds(
    Plan,
    shape=st.sampled_from(SHAPES),
    kind=st.sampled_from([kind for kind in KINDS if kind != "create_deep_agent"]),
    gate=st.sampled_from(list(GATES)),
    is_async=st.booleans(),
    durability=st.sampled_from(["sync", "sync", "async", "exit"]),
    script=scripts,
)
garbage = st.sampled_from(
    ["yes", True, 7, [], {"decisions": []}, {"decisions": "x"}, {"decisions": [{"type": "approve"}] * 9}, [None],
     [{"type": "nope"}], {"type": "edit"}, {"type": []}, {"decisions": {"zz": {"type": "approve"}}}, {"decisions": {}}]
)  # fmt: skip
kinds = st.lists(st.sampled_from(["approve", "approve", "edit", "reject", "respond"]), min_size=3, max_size=3)
hows = st.sampled_from(["resume", "command", "stream", "plain"])
bound = st.sampled_from(["resume", "command", "stream"])
races = st.fixed_dictionaries(
    {
        "at": st.integers(1, 60) | st.just("tool"),
        "where": st.sampled_from(["thread", "thread", "process"]),
        "second": st.sampled_from(["same", "same", "other", "nothing"]),
        "kinds": kinds,
        "how": bound,
        "how second": bound,
    }
)
rounds = st.lists(
    st.fixed_dictionaries(
        {
            "kinds": kinds,
            "how": hows,
            "wrong": st.none() | st.tuples(garbage, st.sampled_from(["bare", "resume"])),
            "late": st.booleans(),
            "times": st.sampled_from([1, 1, 1, 2]),
            "partly": st.booleans(),
            "race": st.none() | races,
        }
    ),
    min_size=1,
    max_size=4,
)


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Stage]]:
    made: dict[str, Stage] = {}
    yield made
    for stage in made.values():
        stage.loop.run_until_complete(stage.close())
        stage.loop.close()


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@settings(
    max_examples=max(1, EXAMPLES // 8),
    deadline=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(plans, rounds)
def test_a_gated_call_runs_once_in_an_approved_form_and_the_thread_ends(
    part: str, stages: Any, tmp_path_factory: pytest.TempPathFactory, request: Any, plan: Plan, rounds: Any
) -> None:
    saver = part.partition("-")[0]
    if saver not in stages:
        url = request.getfixturevalue("postgres_url") if saver == "postgres" else ""
        stages[saver] = Stage(tmp_path_factory.mktemp(saver), url)
    run_world(stages[saver], saver, plan, rounds)


def run_world(stage: Stage, saver: str, plan: Plan, rounds: Any) -> None:
    """Bring one thread to its end with these rounds of answers."""
    gate = "batched" if (plan.gate, plan.kind) == ("per_call", "react-v1") and plan.shape != "task" else plan.gate
    world = World(stage, Plan(**{**vars(plan), "gate": gate, "saver": saver}))
    stage.loop.run_until_complete(drive(world, rounds))


async def drive(world: World, rounds: Any) -> None:
    await world.open()
    old: list[Any] = []
    await world.attempt(lambda: world.run(GO))
    for number in range(30):
        check(world.journal.lines())
        waiting = await world.pending()
        if not waiting:
            if await world.is_over():
                break
            await world.attempt(lambda: world.run(None))
            continue
        told = (
            rounds[number % len(rounds)] if number < 12 else {**rounds[0], "wrong": None, "late": False, "race": None}
        )
        if told["wrong"] is not None:
            await answer_wrongly(world, *told["wrong"])
            waiting = await world.pending()
        if told["late"] and old:
            await answer_late(world, old[number % len(old)])
            waiting = await world.pending()
        if told["partly"] and number < 12:
            waiting = [one for one in waiting if one.interrupt_id == waiting[0].interrupt_id]
        if waiting:
            await answer(world, waiting, told, old)
    else:
        raise AssertionError(("the thread can't be brought to its end", world.journal.lines()))
    for late in old:  # nothing that was ever sent does anything to a thread that has ended
        await world.attempt(lambda late=late: world.run(late))
    await world.check_end()
    await world.close()


async def answer(world: World, waiting: Any, told: Any, old: list[Any]) -> None:
    answers = world.decide(waiting, told["kinds"])
    with suppress(hitl.AnswerError):
        old.append(hitl.command(waiting, answers))
    if told["race"] is not None:
        await race(world, waiting, answers, told["race"])
        return
    # Without ids nobody can tell what a value of the tool's own interrupt was meant for.
    doubled = told["times"] if all(one.tool for one in waiting) and told["how"] != "plain" else 1
    for _ in range(doubled):
        await world.attempt(lambda: world.send_answer(told["how"], waiting, answers))


async def answer_wrongly(world: World, wrong: Any, how: str) -> None:
    """A wrong answer runs nothing, raises nothing inside the graph, and is asked about again with the reason."""
    waiting = await world.pending()
    if any(one.tool is None or one.request_id is None for one in waiting):
        return  # any value is an answer to a tool's own interrupt; where no run has met a doubt, nothing asks yet
    ran = [line for line in world.journal.lines() if line.startswith("run")]
    ids = {one.interrupt_id for one in waiting}
    if how == "resume":
        error = await world.attempt(lambda: world.resume(wrong))
        assert error is not None, f"{wrong!r} was taken for an answer"
    else:
        alone = await world.waits_alone()
        await world.run(Command(resume=wrong if alone else dict.fromkeys(ids, wrong)))
        assert errors(await world.pending()), f"nobody said what was wrong with {wrong!r}"
    assert shown(await world.pending()) == shown(waiting)
    assert ran == [line for line in world.journal.lines() if line.startswith("run")]


async def answer_late(world: World, late: Any) -> None:
    """An answer to what does not wait any more changes nothing."""
    waiting = await world.pending()
    error = await world.attempt(lambda: world.run(late))
    if all(one.tool for one in waiting) and not any(one.may_have_run for one in waiting):
        assert shown(await world.pending()) == shown(waiting), (error, world.journal.lines())


async def race(world: World, waiting: Any, answers: Any, told: Any) -> None:
    """A run stops somewhere, another one goes by from its beginning to its end, then the first goes on."""
    other = answers if told["second"] == "same" else world.decide(waiting, told["kinds"])

    async def first(own: World = world) -> None:
        await own.attempt(lambda: own.send_answer(told["how"], waiting, answers))

    async def second() -> None:
        if told["second"] == "nothing":
            await world.attempt(lambda: world.run(None))
        else:
            await world.attempt(lambda: world.send_answer(told["how second"], waiting, other))

    if told["where"] == "process" and world.plan.saver != "memory":
        await _by_processes(world, first, second, told["at"])
    elif world.plan.is_async:
        await _by_tasks(first, second, told["at"])
    else:
        await _by_threads(first, second, told["at"])


async def _by_tasks(first: Any, second: Any, at: int | str) -> None:
    switch = TaskSwitch(at)

    async def stopped() -> None:
        AT.set(switch)
        await first()

    run = asyncio.ensure_future(stopped())
    run.add_done_callback(lambda _: switch.reached.set())
    await asyncio.wait_for(switch.reached.wait(), PATIENCE)
    try:
        await asyncio.wait_for(second(), PATIENCE)
    finally:
        switch.go_on.set()
        await asyncio.wait_for(run, PATIENCE)


async def _by_threads(first: Any, second: Any, at: int | str) -> None:
    switch = ThreadSwitch(at)

    def stopped() -> None:
        AT.set(switch)
        run_sync(first())

    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(copy_context().run, stopped)
        run.add_done_callback(lambda _: switch.reached.set())
        assert switch.reached.wait(PATIENCE)
        try:
            await second()
        finally:
            switch.go_on.set()
        run.result(PATIENCE)


def run_sync(steps: Any) -> None:
    """Run a coroutine that awaits nothing."""
    try:
        steps.send(None)
    except StopIteration:
        return
    raise AssertionError("it awaited something")


async def _by_processes(world: World, first: Any, second: Any, at: int | str) -> None:
    switch = PipeSwitch(at)
    child = os.fork()
    if child == 0:
        switch.in_child()
        AT.set(switch)
        _in_child(world, first)
    switch.in_parent()
    switch.wait()
    try:
        await second()
    finally:
        switch.release()
        _, status = os.waitpid(child, 0)
    assert status == 0, (status, world.journal.lines())


def _in_child(world: World, act: Any) -> None:
    """Act on the same thread with savers and agents of this process's own, and end it."""
    try:
        asyncio._set_running_loop(None)  # the parent's, which a fork keeps
        stage = Stage(world.stage.folder, world.stage.url)
        own = World(stage, world.plan, world.thread, world.journal.path)

        async def run() -> None:
            await own.open()
            await act(own)

        stage.loop.run_until_complete(run())
        os._exit(0)
    except BaseException as error:  # noqa: BLE001 - the parent reports it
        world.journal.write("broken", repr(error))
        os._exit(1)
