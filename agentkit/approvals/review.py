"""The review: one action after the other, and every interrupt answered as soon as its answer is complete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.types import StateSnapshot
from rich.console import Console
from rich.text import Text

from agentkit import hitl
from agentkit.approvals.terminal import ask, escape, show

_MESSAGES, _LENGTH = 4, 400  # of the conversation around a call


class Review:
    """Goes through what waits: `items`, each with its thread. `signature` is `by` and `note`, for the history."""

    def __init__(
        self, agent: Any, items: Sequence[tuple[str, hitl.PendingAction]], console: Console, **signature: str | None
    ) -> None:
        self._agent, self._items, self._console, self._signature = agent, list(items), console, signature
        self._answers: dict[int, Any] = {}
        self._over: set[int] = set()  # what was sent, or answered by someone else
        self._sent = self._code = 0

    def run(self) -> int:
        """Review until the end, or until the person stops, and return the exit code."""
        index = 0
        try:
            while index < len(self._items):
                index = index + 1 if index in self._over else self._review(index)
        except (EOFError, KeyboardInterrupt):
            self._code = 1
            self._say("\nStopped.", "red")
        self._summarise()
        return self._code

    def _review(self, index: int) -> int:
        """Ask about one action, and return the index of the next."""
        thread, action = self._items[index]
        show(self._console, index + 1, len(self._items), thread, action, conversation(self._agent, thread, action))
        move, answer = ask(action, self._console)
        if move == "quit":
            return len(self._items)
        if move == "back":
            before = [number for number in range(index) if number not in self._over]
            if not before:
                self._say("There is nothing to go back to: what was answered before is sent.")
            return before[-1] if before else index
        if move == "skip":
            self._answers.pop(index, None)
            return index + 1
        self._answers[index] = answer
        same = self._same_interrupt(index)
        if all(number in self._answers for number in same):
            self._send(thread, same)
        return index + 1

    def _same_interrupt(self, index: int) -> list[int]:
        thread, action = self._items[index]
        return [
            number
            for number, (other, one) in enumerate(self._items)
            if number not in self._over and (other, one.interrupt_id) == (thread, action.interrupt_id)
        ]

    def _send(self, thread: str, numbers: Sequence[int]) -> None:
        """Answer one interrupt, show what it led to, and line up what the thread asks next."""
        config = config_of(thread)
        before = len(messages_of(self._agent.get_state(config)))
        answer = address([self._items[n][1] for n in numbers], [self._answers.pop(n) for n in numbers])
        try:
            hitl.resume(self._agent, config, answer, **self._signature)
        except hitl.AnswerError as error:
            self._code = 1
            self._say(f"Not taken: {error}", "red")
            return self._line_up(thread)
        except KeyboardInterrupt:
            self._say("The answer was sent, and its run is broken off: a call that it started may have run.", "red")
            raise
        except Exception as error:  # noqa: BLE001 - of the agent's own code; the other threads still wait
            self._code = 1
            self._say(f"The answer was sent, and its run failed: {type(error).__name__}: {error}", "red")
        self._sent += len(numbers)
        self._over.update(numbers)
        report(self._agent, thread, before, self._console)
        return self._line_up(thread)

    def _line_up(self, thread: str) -> None:
        waiting = hitl.pending(self._agent, config_of(thread))
        known = [action for other, action in self._items if other == thread]
        for number, (other, action) in enumerate(self._items):
            if other == thread and action not in waiting:
                self._over.add(number)
                self._answers.pop(number, None)
        self._items += [(thread, action) for action in waiting if action not in known]

    def _summarise(self) -> None:
        if self._answers:
            threads = ", ".join(dict.fromkeys(self._items[number][0] for number in self._answers))
            self._say(
                f"{len(self._answers)} answers were NOT sent (thread {threads}): the calls of one interrupt are "
                "answered together, and not all of them were."
            )
        left = len(self._items) - len(self._over)
        self._say(f"{self._sent} answers were sent and are kept; {left} calls still wait.")

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(Text(escape(text)), style=style)


def config_of(thread: str) -> Any:
    """The config of a thread."""
    return {"configurable": {"thread_id": thread}}


def address(actions: Sequence[hitl.PendingAction], decisions: Sequence[Any]) -> Any:
    """Say which decision is for which action of a thread."""
    answers: dict[str, Any] = {}
    for action, decision in zip(actions, decisions, strict=True):
        if action.tool is None:
            answers[action.interrupt_id] = decision
        else:
            answers.setdefault(action.interrupt_id, []).append(decision)
    return answers


def messages_of(state: StateSnapshot) -> list[Any]:
    """The messages of a state, if it has any."""
    return list(state.values.get("messages") or ()) if isinstance(state.values, dict) else []


def conversation(agent: Any, thread: str, action: hitl.PendingAction) -> list[str]:
    """What was said last before a call, in the innermost agent that made it."""
    states = [agent.get_state(config_of(thread), subgraphs=True)]
    for state in states:  # grows while it is read
        states += [task.state for task in state.tasks if isinstance(task.state, StateSnapshot)]
    makers = [state for state in states if action.tool_call_id in _calls_of(messages_of(state))]
    said = [f"{one.name or one.type}: {one.text}" for one in messages_of((makers or states[:1])[-1]) if one.text]
    return [line if len(line) <= _LENGTH else f"{line[:_LENGTH]}..." for line in said[-_MESSAGES:]]


def _calls_of(messages: Sequence[Any]) -> list[Any]:
    return [call["id"] for message in messages for call in getattr(message, "tool_calls", ())]


def report(agent: Any, thread: str, before: int, console: Console) -> None:
    """Show the messages that an answer led to."""
    for message in messages_of(agent.get_state(config_of(thread)))[before:]:
        if message.content:
            console.print(Text(escape(f"{message.name or message.type}: {message.content}")))
