"""Run inside an old environment: write one thread for each scenario. Usage: threads_write.py OUT.sqlite."""

import asyncio
import inspect
import json
import sqlite3
import sys
import warnings
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.prebuilt import create_react_agent
from threads_lib import RUNS, SCENARIOS, Scripted, add, ask

warnings.simplefilter("ignore")


def main(path: str) -> None:
    """Write the threads, and beside the file a list of them with how often their tools ran."""
    parameters = inspect.signature(create_react_agent).parameters
    written: dict = {}
    for version in ["v1", "v2"] if "version" in parameters else ["v1"]:
        for name, (script, options, is_async) in SCENARIOS.items():
            if not set(options) <= set(parameters):
                continue
            options = {**options, "version": version} if "version" in parameters else dict(options)
            RUNS.clear()
            try:
                asyncio.run(_write(path, f"{version} {name}", script, options, is_async))
            except ImportError:
                continue  # interrupt() came with langgraph 0.2.57
            except Exception:  # noqa: BLE001 - that version's own agent fails; the table says so
                written[f"{version} {name}"] = None
                continue
            written[f"{version} {name}"] = list(RUNS)
    with open(path + ".json", "w") as file:
        json.dump(written, file, indent=1)


async def _write(path: str, thread_id: str, script: str, options: Any, is_async: bool) -> None:
    config: Any = {"configurable": {"thread_id": thread_id}}
    state: Any = {"messages": [("user", "hi")]}
    if script in {"ask", "both"}:
        from langgraph.types import interrupt  # noqa: F401
    if is_async:
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        async with AsyncSqliteSaver.from_conn_string(path) as saver:
            agent = create_react_agent(Scripted(script=script), [add, ask], checkpointer=saver, **options)
            await agent.ainvoke(state, config)
        return
    connection = sqlite3.connect(path, check_same_thread=False)
    agent = create_react_agent(Scripted(script=script), [add, ask], checkpointer=SqliteSaver(connection), **options)
    agent.invoke(state, config)
    connection.close()


if __name__ == "__main__":
    main(sys.argv[1])
