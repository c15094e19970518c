"""A process that is killed at any write of its saver, or in a tool; a new one brings the thread to its end."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from agentkit import hitl
from tests.approvals.shapes import SHAPES

from .switch import AT, Kill
from .world import GATES, Call, Plan, Stage, World

KILLS = settings.default.max_examples
SEND = Call("send")
SCRIPTS = [
    ((SEND,),),
    ((SEND, SEND),),
    ((SEND, Call("look")), (SEND,)),
    ((SEND, Call("book")),),
    ((Call("send", "raise"),),),
]
KINDS_OF_ANSWERS = [["approve"], ["approve", "reject"], ["edit", "approve"], ["respond", "approve"]]
PARTS = ["sqlite-0", "sqlite-1", "sqlite-2", "postgres-0"]

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def plans(saver: str, part: int) -> Iterator[tuple[Plan, list[str]]]:
    """Every scenario once, in an order of its own for each part, then again in another one."""
    dice = random.Random(part)
    found = [
        Plan(shape, kind, gate, saver, is_async, durability, script)
        for shape in SHAPES
        for kind in (["create_agent", "react-v1", "react-v2"] if shape == "alone" else ["create_agent"])
        for gate in GATES
        for is_async in (False, True)
        for durability in ("sync", "async", "exit")
        for script in SCRIPTS
        if (kind, gate) != ("react-v1", "per_call")
    ]
    while True:
        dice.shuffle(found)
        for plan in found:
            yield plan, dice.choice(KINDS_OF_ANSWERS)


@pytest.mark.parametrize("part", PARTS)
def test_a_killed_process_leaves_a_thread_that_another_one_brings_to_its_end(
    part: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    saver, _, number = part.partition("-")
    url = request.getfixturevalue("postgres_url") if saver == "postgres" else ""
    kills = 0
    for plan, kinds in plans(saver, int(number)):
        # With few kills, those at some steps of each scenario; with many, those at all steps.
        first, by = (1, 1) if KILLS >= 1000 else (random.Random(kills).randrange(1, 9), 9)
        for at in count(first, by):
            killed = kill_and_go_on(plan, kinds, at, tmp_path, url)
            kills += killed
            if not killed or kills >= KILLS / len(PARTS):
                break
        if kills >= KILLS / len(PARTS):
            break


def kill_and_go_on(plan: Plan, kinds: list[str], at: int, folder: Path, url: str) -> int:
    """Bring one thread to its end through a process that dies at a step, and one that dies later. Returns the kills."""
    thread, journal = f"{plan.saver}-{os.getpid()}-{next(World.numbers)}", str(folder / "journal")
    kills = 0
    for switch in (Kill(at), Kill(at // 2 + 1) if at % 3 == 0 else None, None):
        died = in_a_process(plan, kinds, thread, journal, folder, url, switch)
        kills += died
        if not died:
            break
    os.unlink(journal)
    return kills


def in_a_process(
    plan: Plan, kinds: list[str], thread: str, journal: str, folder: Path, url: str, switch: Kill | None
) -> bool:
    """Take the thread up in a new process. Returns whether it was killed before the thread ended."""
    child = os.fork()  # a new interpreter takes seconds to start
    if child == 0:
        try:
            _drive(World(Stage(folder, url), plan, thread, journal), kinds, switch)
            os._exit(0)
        except BaseException as error:  # noqa: BLE001 - the parent reports it
            os.write(2, repr(error).encode())
            os._exit(1)
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status)
    assert killed or status == 0, (plan, kinds, switch and switch.at, Path(journal).read_text().splitlines())
    return killed


def _drive(world: World, kinds: list[str], switch: Kill | None) -> None:
    asyncio._set_running_loop(None)  # the parent's, which a fork keeps

    async def run() -> None:
        await world.open()
        AT.set(switch)
        await world.finish(kinds)
        AT.set(None)
        await world.check_end()
        assert await world.pending() == []

    world.stage.loop.run_until_complete(run())


def test_a_call_that_may_have_run_is_asked_about_and_rejecting_it_ends_the_thread(tmp_path: Path) -> None:
    plan, thread, journal = Plan(saver="sqlite"), "t", str(tmp_path / "journal")
    assert in_a_process(plan, ["approve"], thread, journal, tmp_path, "", Kill("tool"))
    stage = Stage(tmp_path)
    world = World(stage, plan, thread, journal)

    async def look() -> None:
        await world.open()
        (doubt,) = await world.pending()
        assert "may have run" in doubt.may_have_run
        with pytest.raises(hitl.AnswerError):
            await world.resume([{"type": "approve"}])
        await world.resume([{"type": "reject"}])
        await world.check_end()

    stage.loop.run_until_complete(look())
    stage.loop.close()
    assert [line for line in world.journal.lines() if line.startswith("run")] == ["run 0"]
    world.journal.close()
