"""Commands for the parent graph that parallel tool calls return: langgraph raises the first and drops the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from agentkit import _upstream as up


class _Updates(list[Any]):
    """The updates of every command for the parent graph that one step brought, in the order of `parts`.

    Each task of the step raises a command that holds this very list, and langgraph reads it when all of them
    have ended, so that whichever command it takes has the updates of all. A class, to be referred to weakly.
    """

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)  # `repr` of a command copies the lists in it
        self.parts: dict[str, Command[Any]] = {}
        self.goto: list[Any] = []

    def add(self, part: str, command: Command[Any]) -> None:
        """Take a command; one that a task brings again, when it is retried, replaces its earlier one."""
        self.parts[part] = command
        self[:] = _without_repeats(pair for one in self.parts.values() for pair in up.update_pairs(one))
        self.goto[:] = _without_repeats(target for one in self.parts.values() for target in _targets(one))

    def command(self) -> Command[Any]:
        """The command that stands for all."""
        return Command(graph=Command.PARENT, update=self, goto=self.goto)


_steps: WeakValueDictionary[str, _Updates] = WeakValueDictionary()
_lock = Lock()


def is_for_parent(output: Any) -> bool:
    """Whether a tool sent this to the parent graph."""
    return isinstance(output, Command) and output.graph == Command.PARENT


def joined(commands: list[Command[Any]]) -> Command[Any]:
    """Make one command of those that the calls of one task returned."""
    if len(commands) == 1:
        return commands[0]
    updates = _Updates()
    for place, command in enumerate(commands):
        updates.add(str(place), command)
    return updates.command()


def joined_with_siblings(command: Command[Any], config: RunnableConfig) -> Command[Any]:
    """Make one command of those that the tasks of one step return, each of which calls this for its own."""
    step, task = _step_and_task(config.get("configurable", {}))
    if not step:
        return command
    with _lock:
        updates = _steps.setdefault(step, _Updates())
        updates.add(task, command)
        return updates.command()


def _step_and_task(configurable: Mapping[str, Any]) -> tuple[str, str]:
    """The id of the checkpoint that a task started from, which its siblings share, and the task's namespace."""
    task = str(configurable.get(up.CONFIG_KEY_CHECKPOINT_NS, ""))
    graph = task.rpartition(up.NAMESPACE_SEPARATOR)[0]
    return str(configurable.get(up.CONFIG_KEY_CHECKPOINT_MAP, {}).get(graph, "")), task


def _targets(command: Command[Any]) -> list[Any]:
    return list(command.goto) if isinstance(command.goto, list | tuple) else [command.goto]


def _without_repeats(items: Any) -> list[Any]:
    """Drop what says the same again, such as a second handoff to the same agent, in plain values."""
    kept: list[Any] = []
    for item in items:
        plain = item if isinstance(item, str) else item[1] if isinstance(item, tuple) else None
        if not (isinstance(plain, str | int | float | bool) and item in kept):
            kept.append(item)
    return kept
