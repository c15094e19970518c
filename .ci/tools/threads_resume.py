"""Run inside an environment with agentkit: resume stored threads. Usage: threads_resume.py IN.sqlite...

Each file is resumed by `shim` (agentkit's create_react_agent), `upstream` (upstream's own), `bare` (create_agent as
it is) and `moved` (create_agent after agentkit.threads.move), each time in a new copy. Prints a JSON object: mode ->
file -> thread -> "ok", or what went wrong.
"""

import contextlib
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import warnings
from typing import Any

from langchain.agents import create_agent
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command
from threads_lib import ENDINGS, RUNS, SCENARIOS, STRUCTURED, Scripted, add, ask

from agentkit.threads import move

warnings.simplefilter("ignore")


MODES = ("shim", "upstream", "bare", "moved")


def main(paths: list[str]) -> None:
    """Resume each thread of each file in each way, and print the outcomes."""
    print(json.dumps({mode: {path: _resume(path, mode) for path in paths} for mode in MODES}))


def _resume(path: str, mode: str) -> dict[str, str]:
    with open(path + ".json") as file:
        threads = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "threads.sqlite")
        shutil.copy(path, copy)
        with contextlib.closing(sqlite3.connect(copy, check_same_thread=False)) as connection:
            saver = SqliteSaver(connection)
            return {
                thread: "never worked" if runs is None else _outcome(saver, thread, runs, mode)
                for thread, runs in threads.items()
            }


def _outcome(saver: Any, thread: str, ran_before: list, mode: str) -> str:
    version, _, name = thread.partition(" ")
    script, options, _ = SCENARIOS[name]
    config: Any = {"configurable": {"thread_id": thread}}
    agent = _agent(saver, script, dict(options), version, mode)
    if mode == "moved":
        (report,) = move(saver, agent, thread_ids=[thread], write=True)
        if report.outcome in {"refused", "failed"}:
            return str(report.outcome)
    RUNS[:] = ran_before
    begin: Any = None
    if script in {"ask", "both"}:
        begin = Command(resume="yes")
    elif name.startswith("finished"):
        begin = {"messages": [("user", "again")]}
    try:
        state = agent.invoke(begin, config)
        for _ in range(4):
            if not agent.get_state(config).next:
                break
            state = agent.invoke(None, config)
    except Exception as error:  # noqa: BLE001 - the table says what it was
        return f"{type(error).__name__}"
    return _judge(agent.get_state(config).next, state or {}, name, script, version, mode)


def _agent(saver: Any, script: str, options: dict, version: str, mode: str) -> Any:
    model = Scripted(script=script)
    if mode in {"shim", "upstream"}:
        if mode == "shim":
            from agentkit.prebuilt import create_react_agent
        else:
            from langgraph.prebuilt import create_react_agent
        return create_react_agent(model, [add, ask], checkpointer=saver, version=version, **options)
    pauses = {
        key: ["model" if node == "agent" else node for node in nodes if node in {"agent", "tools"}]
        for key, nodes in options.items()
        if key.startswith("interrupt_")
    }
    return create_agent(model, [add, ask], checkpointer=saver, **pauses)


def _judge(waits_at: Any, state: dict, name: str, script: str, version: str, mode: str) -> str:
    if waits_at:
        return "stuck"
    last = state["messages"][-1].content if state.get("messages") else None
    if last != ("done: " if name.startswith("finished") else ENDINGS[script]):
        return "ends"
    again = ["add 1 2"] if (script, version) == ("both", "v1") else []
    expected = {
        "one": ["add 1 2"],
        "two": ["add 1 2", "add 3 4"],
        "ask": ["ask yes"],
        "both": ["add 1 2", *again, "ask yes"],
    }[script]
    if sorted(RUNS) != sorted(expected):
        return f"tools ran {len(RUNS)} times"
    # The agent of the other modes is not asked for one.
    structured = STRUCTURED if name.startswith("response_format") and mode in {"shim", "upstream"} else None
    if state.get("structured_response") != structured:
        return "wrong structured response"
    return "ok"


if __name__ == "__main__":
    main(sys.argv[1:])
