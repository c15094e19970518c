"""Legacy names warn once, at the user's line, with what to use instead."""

from __future__ import annotations

import importlib
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import SystemMessage
from pydantic import BaseModel

import agentkit.prebuilt
from agentkit import AgentkitDeprecationWarning
from agentkit._moves import ARGUMENTS, BY_NAME, MOVES, Move
from agentkit.prebuilt import ToolNode, ValidationNode, create_react_agent
from agentkit.testing import ScriptedChatModel


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def run(code: str, tmp_path: Path, *flags: str) -> list[str]:
    """Run a script and return the lines of its output, the warnings as `file:line: text`."""
    script = tmp_path / "user_script.py"
    script.write_text(textwrap.dedent(code))
    done = subprocess.run([sys.executable, *flags, str(script)], text=True, capture_output=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    return [line.replace(str(script), "user_script.py") for line in lines]


def run_here(code: str) -> list[str]:
    """Run a script in this process and return its warnings, as `run` does."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DeprecationWarning)
        exec(compile(textwrap.dedent(code), "user_script.py", "exec"), {"__name__": "__main__"})
    return [f"{w.filename}:{w.lineno}: {w.category.__name__}: {w.message}" for w in caught]


def raised_by(action: Any) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    return [w for w in caught if issubclass(w.category, DeprecationWarning)]


def has(move: Move) -> bool:
    """Whether this upstream has the name: ToolCallTransformer came with langgraph-prebuilt 1.1.0."""
    return not move.top or move.name in agentkit.prebuilt.__all__


DEPRECATED = [move for move in MOVES if move.since]


@pytest.mark.parametrize("move", DEPRECATED, ids=lambda move: move.name)
def test_each_deprecated_name_warns_once_at_the_line_that_uses_it(move: Any) -> None:
    module = move.new.rpartition(".")[0]
    uses = {
        "create_react_agent": f"{move.name}(ScriptedChatModel(), [])",
        "create_tool_calling_executor": f"{move.name}(ScriptedChatModel(), [])",
        "ValidationNode": f"{move.name}([])",
        "AgentStatePydantic": f"class State({move.name}): pass",
        "AgentStateWithStructuredResponsePydantic": f"class State({move.name}): pass",
    }
    use = uses.get(move.name, "pass")
    code = f"""
    from agentkit.testing import ScriptedChatModel
    from {module} import {move.name}
    {use}
    """
    lines = run_here(code)
    warned = [line for line in lines if "AgentkitDeprecationWarning" in line]
    assert len(warned) == 1, lines
    line = 4 if move.name in uses else 3
    assert warned[0].startswith(f"user_script.py:{line}: AgentkitDeprecationWarning: ")
    assert move.advice in warned[0]
    assert f"Upstream deprecated {'create_react_agent' if 'ScriptedChatModel' in use else move.old} in " in warned[0]
    assert "removes it in langgraph 2.0; agentkit keeps it" in warned[0]
    assert "`agentkit migrate` rewrites" in warned[0]


@pytest.mark.parametrize(
    "move", [m for m in MOVES if not m.since and m.name[0] != "_" and has(m)], ids=lambda m: m.name
)
def test_a_name_that_upstream_keeps_does_not_warn(move: Any) -> None:
    module, _, name = move.new.rpartition(".")
    assert raised_by(lambda: getattr(importlib.import_module(module), name)) == []


def test_the_warning_carries_since_removal_and_instead() -> None:
    (warned,) = raised_by(lambda: create_react_agent(ScriptedChatModel(), []))
    message: Any = warned.message
    assert type(message) is AgentkitDeprecationWarning
    assert message.since == "langgraph-prebuilt 1.0.0"
    assert message.removal == "langgraph 2.0"
    assert message.instead == "langchain.agents.create_agent"
    assert warned.filename == __file__


class State(BaseModel):
    messages: list[Any]
    remaining_steps: int = 25


USES = {
    "model (bound)": {"model": ScriptedChatModel().bind(temperature=0)},
    "model (function)": {"model": lambda state, runtime: ScriptedChatModel()},
    "prompt (text)": {"prompt": "Be brief."},
    "prompt (message)": {"prompt": SystemMessage("Be brief.")},
    "prompt (function)": {"prompt": lambda state: state["messages"]},
    "tools (ToolNode)": {"tools": ToolNode([add])},
    "pre_model_hook": {"pre_model_hook": lambda state: {}},
    "post_model_hook": {"post_model_hook": lambda state: {}},
    "response_format": {"response_format": {"title": "A", "type": "object", "properties": {}}},
    "state_schema (pydantic)": {"state_schema": State},
    "version": {"version": "v1"},
    "interrupt": {"interrupt_before": ["agent"]},
    "config_schema": {"config_schema": State},
    "messages_modifier": {"messages_modifier": "Be brief."},
    "state_modifier": {"state_modifier": "Be brief."},
}


def test_each_argument_of_the_table_is_tested() -> None:
    assert set(USES) == set(ARGUMENTS)


@pytest.mark.parametrize("use", USES)
def test_the_warning_names_what_each_argument_in_use_is_today(use: str) -> None:
    arguments: dict[str, Any] = {"model": ScriptedChatModel(), "tools": [], **USES[use]}
    (warned,) = raised_by(lambda: create_react_agent(**arguments))
    assert ARGUMENTS[use] in str(warned.message)
    others = [text for name, text in ARGUMENTS.items() if name != use and text != ARGUMENTS[use]]
    assert not any(text in str(warned.message) for text in others)


def test_subclassing_the_pydantic_state_warns_at_the_class_statement_under_error(tmp_path: Path) -> None:
    code = """
    from agentkit.prebuilt.chat_agent_executor import AgentStatePydantic

    class State(AgentStatePydantic):
        pass
    """
    lines = run(code, tmp_path, "-W", "error::DeprecationWarning")
    assert any('File "user_script.py", line 4' in line for line in lines)
    assert lines[-1].startswith("agentkit._deprecation.AgentkitDeprecationWarning: Upstream deprecated ")


def test_a_users_own_hierarchy_of_states_warns_once() -> None:
    from agentkit.prebuilt.chat_agent_executor import AgentStatePydantic

    def define() -> None:
        class Base(AgentStatePydantic):
            pass

        class Child(Base):
            pass

    assert len(raised_by(define)) == 1


def test_one_call_site_warns_once_and_each_site_for_itself(tmp_path: Path) -> None:
    code = """
    from agentkit.testing import ScriptedChatModel
    from agentkit.prebuilt import create_react_agent
    for _ in range(3):
        create_react_agent(ScriptedChatModel(), [])
    create_react_agent(ScriptedChatModel(), [])
    """
    lines = run(code, tmp_path, "-W", "default::DeprecationWarning")
    warned = [line.partition(" ")[0] for line in lines if "AgentkitDeprecationWarning" in line]
    assert warned == ["user_script.py:5:", "user_script.py:6:"]


NEW_API = """
from agentkit.agents import AgentState, create_agent
from agentkit.agents.interrupt import ActionRequest, HumanInterrupt, HumanInterruptConfig, HumanResponse
from agentkit.middleware import HumanInTheLoopMiddleware, ValidationMiddleware
from agentkit import hitl, permissions
from agentkit.tools import ToolNode, tools_condition, tool
from agentkit.testing import ScriptedChatModel, call
from langgraph.checkpoint.memory import InMemorySaver

@tool
def add(a: int, b: int) -> int:
    "Add two numbers."
    return a + b

agent = create_agent(
    ScriptedChatModel(script=[call("add", a=1, b=2), "3"]), [add], interrupt_on={"add": True},
    handle_tool_errors=True, middleware=[ValidationMiddleware([add])], checkpointer=InMemorySaver(),
)
config = {"configurable": {"thread_id": "1"}}
agent.invoke({"messages": [("user", "add")]}, config)
print(hitl.resume(agent, config, [{"type": "approve"}])["messages"][-1].content)
"""


def test_the_new_api_alone_raises_nothing_under_error(tmp_path: Path) -> None:
    assert run(NEW_API, tmp_path, "-W", "error") == ["3"]


def test_upstreams_own_deprecation_warnings_do_not_leak() -> None:
    from agentkit.prebuilt.chat_agent_executor import AgentStatePydantic

    def use() -> None:
        class Mine(AgentStatePydantic):
            pass

        agent = create_react_agent(
            ScriptedChatModel(script=["hi"]), [add], state_schema=Mine, pre_model_hook=lambda state: {}
        )
        agent.invoke({"messages": [("user", "hi")]})
        ValidationNode([add])

    categories = {warned.category for warned in raised_by(use)}
    assert categories == {AgentkitDeprecationWarning}


def test_every_deprecated_row_has_its_advice() -> None:
    for move in DEPRECATED:
        assert move.advice
        assert BY_NAME[move.name].instead
