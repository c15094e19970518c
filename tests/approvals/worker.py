"""A process that drives one thread on SQLite: start it, answer it, or get killed while it does.

Usage: python worker.py DATABASE LOG COMMAND [kill-after-seconds]
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

warnings.simplefilter("ignore")

from langchain_core.tools import tool  # noqa: E402
from langgraph.checkpoint.sqlite import SqliteSaver  # noqa: E402

from agentkit import hitl  # noqa: E402
from agentkit.agents import create_agent  # noqa: E402
from agentkit.middleware import _claims  # noqa: E402
from agentkit.testing import ScriptedChatModel, call  # noqa: E402

TURNS = 3
CONFIG: Any = {"configurable": {"thread_id": "t"}}


def log(path: str, line: str) -> None:
    """Append one line, durably enough to outlive the process."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(descriptor, f"{line}\n".encode())
    os.close(descriptor)


def agent(saver: Any, path: str) -> Any:
    @tool
    def send(x: int) -> str:
        "Send."
        log(path, f"run {x}")
        time.sleep(0.002)
        log(path, f"ran {x}")
        return f"sent {x}"

    script = [[call("send", f"c{n}", x=n), call("send", f"d{n}", x=n + 100)] for n in range(TURNS)]
    return create_agent(
        ScriptedChatModel(script=[*script, "end"]), [send], interrupt_on={"send": True}, checkpointer=saver
    )


def step(made: Any, path: str) -> bool:
    """Take the thread one step on, as a worker does that finds it in any state. Returns whether it has ended."""
    state = made.get_state(CONFIG)
    if not state.values:
        made.invoke({"messages": [("user", "go")]}, CONFIG, durability="sync")
        return False
    waiting = hitl.pending(made, CONFIG)
    if waiting:
        answer: dict[str, Any] = {}
        for action in waiting:
            approve = action.args["x"] < 100
            log(path, f"{'approve' if approve else 'reject'} {action.args['x']}")
            answer[action.tool_call_id or ""] = {"type": "approve" if approve else "reject"}
        hitl.resume(made, CONFIG, {"decisions": answer}, durability="sync")
        return False
    if state.tasks:  # `next` leaves out tasks whose results are stored, though the step is not over
        made.invoke(None, CONFIG, durability="sync")
        return False
    return True


def main(database: str, path: str, what: str, kill_after: str = "") -> None:
    _claims.SECONDS = 0.05 if what == "drive" else 10.0
    with SqliteSaver.from_conn_string(database) as saver:
        made = agent(saver, path)
        if what == "race":
            go = Path(kill_after)
            waiting = hitl.pending(made, CONFIG)
            Path(f"{kill_after}.{os.getpid()}").touch()
            while not go.exists():
                pass
            decision = {"decisions": {a.tool_call_id: {"type": "approve"} for a in waiting}}
            try:
                hitl.resume(made, CONFIG, decision)
            except ValueError as error:
                print(f"refused: {error}")
            else:
                print("went on")
            return
        if kill_after:
            threading.Timer(float(kill_after), os.kill, (os.getpid(), signal.SIGKILL)).start()
        for _ in range(60):
            with suppress(hitl.AnswerError):  # the claim of a process that died has to run out first
                if step(made, path):
                    log(path, "ended")
                    os._exit(0)
            time.sleep(0.02)
        os._exit(3)


if __name__ == "__main__":
    main(*sys.argv[1:])
