"""The agents whose threads are moved, and what they are asked."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langgraph.types import interrupt

from agentkit.prebuilt import create_react_agent
from agentkit.testing import ScriptedChatModel, call

RUNS: list[str] = []
ONE = [call("add", "call_1", a=1, b=2)]
TWO = [[call("add", "call_1", a=1, b=2), call("ask", "call_2", q="ok?")]]
CONFIG: Any = {"configurable": {"thread_id": "t"}}
HELLO: Any = {"messages": [("user", "hi")]}


def add(a: int, b: int) -> str:
    """Add two numbers."""
    RUNS.append(f"add {a} {b}")
    return str(a + b)


def ask(q: str) -> str:
    """Ask the human."""
    answer = interrupt({"question": q})
    RUNS.append(f"ask {answer}")
    return f"human said {answer}"


def legacy(saver: Any, script: list[Any] = ONE, **options: Any) -> Any:
    return create_react_agent(ScriptedChatModel(script=script), [add, ask], checkpointer=saver, **options)


def current(saver: Any = None, script: list[Any] = ONE, **options: Any) -> Any:
    return create_agent(ScriptedChatModel(script=script), [add, ask], checkpointer=saver, **options)


def texts(graph: Any) -> list[Any]:
    return [message.content for message in graph.get_state(CONFIG).values["messages"]]


def snapshot(saver: Any, thread_id: str = "t") -> list[Any]:
    return [
        (entry.checkpoint, sorted(map(repr, entry.pending_writes or ())))
        for entry in saver.list({"configurable": {"thread_id": thread_id}})
    ]
