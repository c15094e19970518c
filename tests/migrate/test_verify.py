"""`agentkit verify`: equal agents pass, and what differs is shown with the conversation that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool
from pydantic import BaseModel, Field

from agentkit.migrate.verify import conversations, main, tools_of, verify
from agentkit.testing import ScriptedChatModel

OLD = '''
from agentkit.prebuilt import create_react_agent

def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b

def trim(state):
    return {"messages": []}

def build(model):
    return create_react_agent(model, [add], prompt="Be brief.")

def hooked(model):
    return create_react_agent(model, [add], pre_model_hook=trim)

agent = build
'''
NEW = '''
from langchain.agents import create_agent
from langchain.agents.middleware import before_model

def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b

def build(model):
    return create_agent(model, [add], system_prompt="Be brief.")

def other(model):
    return create_agent(model, [add], system_prompt="Be long.")

@before_model
def trim(state, runtime):
    return {"messages": []}

def hooked(model):
    return create_agent(model, [add], middleware=[trim])
'''


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old_app.py", tmp_path / "new_app.py"
    old.write_text(OLD)
    new.write_text(NEW)
    return old, new


def test_a_rewritten_agent_is_equal(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = files
    assert main([f"{old}:build", f"{new}:build", "--conversations", "6"]) == 0
    assert "equal in 6 conversations" in capsys.readouterr().out


def test_a_different_agent_is_shown_with_the_first_difference(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = files
    assert main([f"{old}:build", f"{new}:other"]) == 1
    out = capsys.readouterr().out
    assert "different in conversation 1" in out
    assert "'Be brief.'" in out
    assert "'Be long.'" in out
    assert "the user says" in out


def test_a_renamed_hook_node_has_to_be_named(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = files
    arguments = [f"{old}:hooked", f"{new}:hooked", "--conversations", "3"]
    assert main(arguments) == 1
    assert "pre_model_hook" in capsys.readouterr().out
    assert main([*arguments, "--node", "pre_model_hook=trim.before_model"]) == 0


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("nothing", "neither file.py:name nor module:name"),
        ("no_such.py:build", "there is no file "),
        ("no_such_module:build", "there is no module no_such_module"),
        ("{old}:missing", "has no 'missing'"),
    ],
)
def test_what_can_not_be_loaded_is_told(
    files: tuple[Path, Path], reference: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    old, _ = files
    assert main([reference.format(old=old), f"{old}:build"]) == 2
    assert message in capsys.readouterr().err


class Place(BaseModel):
    city: str
    zoom: int = Field(ge=1, le=3)


@tool
def show(place: Place, tags: list[str], exact: bool = False) -> str:
    """Show a place."""
    return f"{place.city} {place.zoom} {len(tags)} {exact}"


def test_generated_calls_have_arguments_that_the_tools_take() -> None:
    agent = create_agent(ScriptedChatModel(), [show])
    assert [found.name for found in tools_of(agent)] == ["show"]
    calls = [
        call
        for conversation in conversations([show], 30, 1)
        for turn in conversation.script
        if isinstance(turn, list)
        for call in turn
    ]
    assert calls == [
        call
        for conversation in conversations([show], 30, 1)
        for turn in conversation.script
        if isinstance(turn, list)
        for call in turn
    ]
    good = [call for call in calls if {"place", "tags"} <= set(call["args"]) and len(call["args"]["place"]) == 2]
    assert len(good) > len(calls) / 2
    for call in good:
        assert show.invoke(call["args"]).startswith(call["args"]["place"]["city"])


def test_a_tool_that_does_something_else_is_found() -> None:
    def build(sign: int):
        def add(a: int, b: int) -> int:
            """Add two numbers."""
            return a + sign * b

        return lambda model: create_agent(model, [add])

    assert verify(build(1), build(1), count=4).difference is None
    report = verify(build(1), build(-1), count=4)
    assert report.difference is not None
    assert "tools" in report.difference.where
