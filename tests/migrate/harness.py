"""Run a program of the golden folder: on upstream's legacy agent before, on today's agent after."""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from agentkit.testing import ScriptedChatModel, assert_parity, call
from agentkit.testing.parity import MODES

GOLDEN = Path(__file__).parent / "golden"
SCRIPT = [
    [call("add", a=1, b=2), call("add", a=3, b=4)],
    "x is 3 and 7",
    call("add", a="no number", b=1),
    call("nope"),
    "done",
]
INPUTS = [{"messages": [("user", "hi")]}, {"messages": [("user", "again")]}]


def run(code: str, name: str, model: Any) -> dict[str, Any]:
    """Run a program with `scripted.model` to import; return its names."""
    scripted = types.ModuleType("scripted")
    scripted.model = model  # type: ignore[attr-defined]
    scripted.hook = lambda state: {"messages": []}  # type: ignore[attr-defined]
    scripted.prompt = "Be brief."  # type: ignore[attr-defined]
    scripted.saver = InMemorySaver  # type: ignore[attr-defined]
    sys.modules["scripted"] = scripted
    program = types.ModuleType("golden_program")
    sys.modules["golden_program"] = program  # pydantic and get_type_hints look classes up there
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, name, "exec"), program.__dict__)
    return program.__dict__


def builder(code: str, name: str) -> Callable[[Any], Any]:
    """A builder of the program's agent, for the parity check."""

    def build(model: Any) -> Any:
        names = run(code, name, model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return names["build"](model) if "build" in names else names.get("agent", names.get("graph"))

    return build


def check(before: str, after: str, name: str, node_names: dict[str, str], settings: dict[str, Any]) -> None:
    """Check that two versions of a program behave alike."""
    script = settings.get("SCRIPT", SCRIPT)

    def model() -> ScriptedChatModel:
        return ScriptedChatModel(script=script, structured=settings.get("STRUCTURED"))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for way in settings.get("HOW", ["sync", "async"]):
            # On Python 3.10 create_agent streams no tokens in async runs: a task does not inherit the config.
            silent = way == "async" and sys.version_info < (3, 11)
            assert_parity(
                builder(before, f"{name} (before)"),
                builder(after, f"{name} (after)"),
                settings.get("INPUTS", INPUTS),
                node_names=node_names or {},
                modes=[mode for mode in MODES if not (silent and mode == "messages")],
                how=[way],
                model=model,
                config=settings.get("CONFIG"),
            )
