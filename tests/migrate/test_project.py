"""What one file of a run says decides what may become of another."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agentkit.migrate.cli import main

HEAD = "from langgraph.prebuilt import create_react_agent\n"
HOOKS = (
    HEAD + "\ndef trim(state):\n    return {'messages': []}\n\n"
    "def prompt(state):\n    return [('system', 'x')] + state['messages']\n\n"
    "agent = create_react_agent(model, [], pre_model_hook=trim, prompt=prompt)\n"
)


def reasons(root: Path, capsys: pytest.CaptureFixture[str], *options: str, **files: str) -> list[str]:
    for name, text in files.items():
        path = root / (name.replace("__", "/", 1) + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    main([str(root), "--json", *options])
    return [left["reason"] for file in json.loads(capsys.readouterr().out)["files"] for left in file["left"]]


MODELS = (
    "strict = model.bind_tools([], tool_choice='any')\n"
    "backed = small if cheap else large.with_fallbacks([small])\n"
    "plain = ChatModel()\n"
    "def pick(state, runtime):\n    return strict\n"
    "def make():\n    model = ChatModel().with_retry()\n    return model\n"
    "class Settings:\n    model = plain.bind(stop=['x'])\n"
)
BOUND = "comes from a file where it is a model with something bound"


@pytest.mark.parametrize(
    ("imports", "model", "reason"),
    [
        ("from app.models import strict", "strict", f"strict {BOUND}"),
        ("from app.models import strict as model", "model", f"model {BOUND}"),
        ("from .models import backed", "backed", f"backed {BOUND}"),
        ("from app.models import make", "make()", f"make() {BOUND}"),
        ("from app.models import Settings", "Settings.model", f"Settings.model {BOUND}"),
        ("from app import models", "models.strict", f"models.strict {BOUND}"),
        ("from . import models", "models.make()", f"models.make() {BOUND}"),
        ("import app.models as m", "m.strict", f"m.strict {BOUND}"),
        ("from app import passed_on", "passed_on", f"passed_on {BOUND}"),
        ("from app.models import pick", "pick", "pick comes from a file where it is a function"),
        ("from app.models import strict", "strict if a else b", f"strict if a else b {BOUND}"),
        ("from app.models import plain", "plain", ""),
        ("from elsewhere import strict", "strict", ""),
    ],
)
def test_a_model_imported_from_a_file_of_the_run_counts_as_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], imports: str, model: str, reason: str
) -> None:
    agents = f"{HEAD}{imports}\n\nagent = create_react_agent({model}, [])\n"
    init = "from .models import strict as passed_on\n"
    found = reasons(tmp_path, capsys, app__agents=agents, app__models=MODELS, app____init__=init)
    assert found == ([reason] if reason else [])


def test_a_tool_node_and_a_pair_imported_from_a_file_of_the_run_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = (
        HEAD + "from app.parts import FORMAT, node, Nodes\n\n"
        "a = create_react_agent(m, node)\n"
        "b = create_react_agent(m, Nodes([]))\n"
        "c = create_react_agent(m, [], response_format=FORMAT)\n"
    )
    parts = (
        "from langgraph.prebuilt import ToolNode\n\nnode = ToolNode([])\nFORMAT = ('Say.', dict)\n\n"
        "class Nodes(ToolNode): ...\n"
    )
    assert reasons(tmp_path, capsys, app__agents=agents, app__parts=parts) == [
        "node may be a ToolNode that was made elsewhere",
        "Nodes is a ToolNode of your own",
        "response_format is a (prompt, schema) pair",
    ]


@pytest.mark.parametrize(
    "tools",
    [
        "@tool(return_direct=True)\ndef look(): ...\n",
        "class Look(BaseTool):\n    return_direct: bool = True\n",
        "look = tool(f, **{'return_direct': True})\n",
    ],
)
def test_an_agent_whose_tools_file_has_a_return_direct_tool_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], tools: str
) -> None:
    agents = HEAD + "from app.tools import look\n\nagent = create_react_agent(m, [look])\n"
    assert reasons(tmp_path, capsys, app__agents=agents, app__tools=tools) == ["tools.py has a tool with return_direct"]
    assert reasons(tmp_path, capsys, "--apply", "AK018", app__agents=agents, app__tools=tools) == []
    assert reasons(tmp_path, capsys, app__agents=agents, app__tools="look = tool(f, return_direct=False)\n") == []


def test_an_agent_that_another_file_runs_with_a_recursion_limit_gets_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main_file = "from app.agents import agent\n\nagent.invoke(question, {'recursion_limit': 5})\n"
    found = reasons(tmp_path, capsys, "--write", app__agents=HOOKS, app__main=main_file, other__agents=HOOKS)
    assert found == []
    note = "# TODO(agentkit): AK018 at the limit that main.py sets, create_agent raises GraphRecursionError\n"
    assert (tmp_path / "app/agents.py").read_text().count(note) == 1
    assert "TODO" not in (tmp_path / "other/agents.py").read_text()


@pytest.mark.parametrize(
    "use",
    [
        "from app.agents import trim, prompt\n\ndef test():\n    assert trim({}) and prompt({})\n",
        "from app import agents\n\ndef test():\n    assert agents.trim({}) and agents.prompt({})\n",
        "import app.agents\n\ndef test():\n    assert app.agents.trim({}) and app.agents.prompt({})\n",
        "from app.agents import *\n\ndef test():\n    assert trim({})\n",
    ],
)
def test_a_function_that_another_file_calls_stays_a_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], use: str
) -> None:
    assert reasons(tmp_path, capsys, "--write", app__agents=HOOKS, tests__test_agents=use) == []
    text = (tmp_path / "app/agents.py").read_text()
    assert "\n\ndef trim(state):\n" in text
    assert "\n\ndef prompt(state):\n" in text
    assert "create_agent(model, [], middleware=[" in text


def test_a_function_in_all_stays_a_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reasons(tmp_path, capsys, "--write", app=HOOKS + "\n__all__ = ['trim']\n") == []
    assert "\n\ndef trim(state):\n" in (tmp_path / "app.py").read_text()


def test_a_named_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert reasons(tmp_path, capsys, app=HOOKS) == []
