"""Who answers first: of two processes that answer one pause at the same time, one goes on.

Savers have no locks, but each keeps the first value written in one place of a checkpoint and ignores later ones.
A claim is such a value, beside the pause. It runs out, so that a process that died does not block the thread.
"""

from __future__ import annotations

import threading
import time
from typing import Any
from uuid import NAMESPACE_OID, uuid4, uuid5

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver

from agentkit import _upstream as up
from agentkit.hitl._answers import AnswerError
from agentkit.middleware._pauses import place_of, task_id_of

CHANNEL = "agentkit_claim"
SECONDS = 10.0
"""How long a claim holds where the process that made it does not get any further."""

_RELEASED = "released"
_LOCK = threading.Lock()


def claim(config: RunnableConfig | None) -> None:
    """Claim the pause that was just answered.

    Args:
        config: The config of the task, or None outside a graph.

    Raises:
        AnswerError: If another process has claimed it. Nothing ran here.
    """
    saver, at = place_of(config)
    if saver is None or at is None:
        return
    found, latest = saver.get_tuple(at), saver.get_tuple(_head(at))
    slot, token = _next_slot(config, found, latest), f"{uuid4()} {time.time()}"
    with _LOCK:  # the saver in memory looks and writes in two steps
        saver.put_writes(at, [(CHANNEL, token)], slot)
    _check_own(config, saver.get_tuple(at), slot, token)


async def aclaim(config: RunnableConfig | None) -> None:
    """Async twin of `claim`."""
    saver, at = place_of(config)
    if saver is None or at is None:
        return
    if isinstance(saver, InMemorySaver):
        claim(config)
        return
    found, latest = await saver.aget_tuple(at), await saver.aget_tuple(_head(at))
    slot, token = _next_slot(config, found, latest), f"{uuid4()} {time.time()}"
    await saver.aput_writes(at, [(CHANNEL, token)], slot)
    _check_own(config, await saver.aget_tuple(at), slot, token)


def release(config: RunnableConfig | None) -> None:
    """Give up the claim: what was answered failed, and may be tried again at once.

    Args:
        config: The config of the task, or None outside a graph.
    """
    saver, at = place_of(config)
    if saver is not None and at is not None:
        for slot in _held(config, saver.get_tuple(at)):
            saver.put_writes(at, [(CHANNEL, _RELEASED)], _end_of(slot))


async def arelease(config: RunnableConfig | None) -> None:
    """Async twin of `release`."""
    saver, at = place_of(config)
    if saver is not None and at is not None:
        for slot in _held(config, await saver.aget_tuple(at)):
            await saver.aput_writes(at, [(CHANNEL, _RELEASED)], _end_of(slot))


def _held(config: RunnableConfig | None, found: CheckpointTuple | None) -> list[str]:
    """The claims of this task that nobody has given up."""
    claims = {task for task, channel, _ in _writes(found) if channel == CHANNEL}
    slots = (_slot(config, number) for number in range(len(claims)))
    return [slot for slot in slots if slot in claims and _end_of(slot) not in claims]


def _slot(config: RunnableConfig | None, number: int) -> str:
    return str(uuid5(NAMESPACE_OID, f"{task_id_of(config)} {number}"))


def _end_of(slot: str) -> str:
    return str(uuid5(NAMESPACE_OID, f"{slot} end"))


def _head(at: RunnableConfig) -> RunnableConfig:
    return {up.CONF: {key: value for key, value in at[up.CONF].items() if key != "checkpoint_id"}}


def _next_slot(config: RunnableConfig | None, found: CheckpointTuple | None, latest: CheckpointTuple | None) -> str:
    """The id under which to claim: the first that is free, behind claims that have run out."""
    claims = {task: value for task, channel, value in _writes(found) if channel == CHANNEL}
    number = 0
    while (slot := _slot(config, number)) in claims:
        number += 1
        if _end_of(slot) not in claims and time.time() - float(claims[slot].split()[1]) < SECONDS:
            raise _refused(config)
    if number and found is not None and latest is not None and found.checkpoint["id"] != latest.checkpoint["id"]:
        raise _refused(config)
    return slot


def _check_own(config: RunnableConfig | None, found: CheckpointTuple | None, slot: str, token: str) -> None:
    if not any(task == slot and value == token for task, _, value in _writes(found)):
        raise _refused(config)


def _writes(found: CheckpointTuple | None) -> list[tuple[str, str, Any]]:
    return list((found.pending_writes if found else None) or ())


def _refused(config: RunnableConfig | None) -> AnswerError:
    """The error; the answer is taken back, or it would be stored with the error and used later."""
    if config is not None and up.CONFIG_KEY_SEND in config.get(up.CONF, {}):
        config[up.CONF][up.CONFIG_KEY_SEND]([(up.RESUME, [])])
    return AnswerError(
        "another process is answering this pause, or has just answered it; this answer was not taken and nothing "
        f"was run by it. If that process died, the pause can be answered again after {SECONDS:g} seconds."
    )
