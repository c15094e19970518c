"""Reported cases: small inputs, and exactly what becomes of them."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from agentkit.migrate import migrate_source
from agentkit.migrate.cli import main
from agentkit.migrate.notebooks import code_cells, migrate_notebook

HEAD = "from langgraph.prebuilt import create_react_agent\n"
NEW = "from langchain.agents import create_agent\n"


def moved(text: str) -> str:
    """The rewritten text, after a second run that must change nothing."""
    first = migrate_source(text)
    second = migrate_source(first.source)
    assert second.source == first.source
    assert second.changes == []
    return first.source


def left(text: str) -> list[str]:
    return [f"{item.code} {item.reason}" for item in migrate_source(text).left]


def test_two_agents_of_one_file_may_need_two_functions_of_one_name() -> None:
    new = moved(
        "from langgraph.prebuilt import create_react_agent, ToolNode\n"
        "a = create_react_agent(m, [])\n"
        "b = create_react_agent(m, ToolNode([t], handle_tool_errors=False))\n"
    )
    assert new == (
        "from agentkit.agents import create_agent as agentkit_create_agent\n"
        "from langchain.agents import create_agent\n"
        "a = create_agent(m, [])\n"
        "b = agentkit_create_agent(m, [t], handle_tool_errors=False)\n"
    )


@pytest.mark.parametrize(
    "model",
    [
        "helper(ChatOpenAI().bind_tools([t]))",
        "cast(BaseChatModel, llm.bind_tools([t]))",
        "wrap(prompt | llm)",
        "wrap(llm.with_retry())",
        "Wrapper(inner=llm.bind(stop=['x']))",
    ],
)
def test_what_an_unknown_call_makes_of_a_bound_model_stays(model: str) -> None:
    text = f"{HEAD}model = {model}\na = create_react_agent(model, [t])\n"
    assert left(text) == ["AK009 model is made of a model with something bound"]
    assert "a = create_react_agent(model, [t])" in moved(text)


@pytest.mark.parametrize(
    "model", ["helper(ChatOpenAI())", "cast(BaseChatModel, llm)", "RateLimited(llm, 60 * 2)", "f(x, key=lambda: 1)"]
)
def test_what_an_unknown_call_makes_of_a_plain_model_moves(model: str) -> None:
    assert "a = create_agent(model, [t])" in moved(f"{HEAD}model = {model}\na = create_react_agent(model, [t])\n")


def test_a_mark_of_a_name_that_is_gone_stands_at_that_name() -> None:
    new = moved(
        "import os\nfrom langgraph.prebuilt import ToolExecutor, create_react_agent\n"
        "a = create_react_agent(m, [], **kw)\n"
    )
    lines = new.splitlines()
    assert lines[1] == "from agentkit.prebuilt import create_react_agent"
    assert lines[2].startswith("# TODO(agentkit): AK017 ToolExecutor is gone: call a ToolNode")
    assert lines[3] == "from langgraph.prebuilt import ToolExecutor"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "from langgraph.prebuilt import (ToolNode,  # type: ignore\n    create_react_agent)\n",
            NEW + "from langgraph.prebuilt import ToolNode  # type: ignore\n",
        ),
        (
            "from langgraph.prebuilt import (\n    ToolNode,  # the node\n    create_react_agent,  # the agent\n)\n",
            "from langchain.agents import create_agent  # the agent\n"
            "from langgraph.prebuilt import ToolNode  # the node\n",
        ),
        (
            "from langgraph.prebuilt import ToolNode, create_react_agent  # noqa: E402\n",
            "from langchain.agents import create_agent  # noqa: E402\n"
            "from langgraph.prebuilt import ToolNode  # noqa: E402\n",
        ),
        (
            "from langgraph.prebuilt import (\n"
            "    ToolNode,  # a\n    create_react_agent,\n    tools_condition,  # b\n)\n",
            NEW + "from langgraph.prebuilt import (\n    ToolNode,  # a\n    tools_condition,  # b\n)\n",
        ),
    ],
)
def test_comments_stay_on_the_names_of_an_import(old: str, new: str) -> None:
    text = "a = create_react_agent(m, [])\nn = ToolNode([]), tools_condition\n"
    assert moved(old + text) == new + text.replace("create_react_agent", "create_agent")


@pytest.mark.parametrize(
    "text",
    [
        "from langgraph.prebuilt import ToolNode, tools_condition\nn = ToolNode([t])\ng.add(tools_condition)\n",
        "from langgraph.prebuilt import ToolNode\n",
        "from langgraph.prebuilt import InjectedState, InjectedStore, ToolRuntime\n",
        "from langgraph.prebuilt.tool_node import ToolNode\nn = ToolNode([t])\n",
    ],
)
def test_names_that_are_not_deprecated_are_left_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "app.py"
    file.write_text(text)
    assert main([str(file), "--check", "--write"]) == 0
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("name", "text", "stays"),
    [
        ("app.py", HEAD + "x = 1\n", False),
        ("__init__.py", HEAD + "x = 1\n", True),
        ("app.py", HEAD + "__all__ = ['create_react_agent']\n", True),
        ("app.py", HEAD.replace("\n", "  # noqa: F401\n"), True),
        ("app.py", HEAD.replace("agent\n", "agent as create_react_agent\n"), True),
    ],
)
def test_an_unused_legacy_import_goes_where_nobody_can_want_it(
    tmp_path: Path, name: str, text: str, stays: bool
) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert main([str(file), "--write"]) == 1
    assert ("create_react_agent" in file.read_text()) == stays
    assert main([str(file), "--write"]) == 0


def test_old_executors_are_named_with_what_to_use() -> None:
    assert left("from langgraph.prebuilt.tool_executor import ToolExecutor\ne = ToolExecutor([t])\n") == [
        "AK017 ToolExecutor is gone: call a ToolNode with the message, or tool.invoke(args) with the tool of that name"
    ]
    old = "from langgraph.prebuilt.chat_agent_executor import create_function_calling_executor\n"
    assert moved(old + "a = create_function_calling_executor(m, [t])\n") == NEW + "a = create_agent(m, [t])\n"


def notebook(*cells: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]})


def test_a_cell_that_is_written_to_a_file_is_a_file_of_its_own() -> None:
    app = f"%%writefile app.py\n{HEAD}prompt = make()\na = create_react_agent(m, [], prompt='x')\n"
    text = notebook(app, "prompt = 1", "%%writefile notes.txt\nfrom langgraph.prebuilt import create_react_agent\n")
    new = [cell.text for cell in code_cells(migrate_notebook(text).source)]
    assert new[0] == f"%%writefile app.py\n{NEW}prompt = make()\na = create_agent(m, [], system_prompt='x')\n"
    assert new[1:] == [cell.text for cell in code_cells(text)][1:]


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (
            HEAD + "a = create_react_agent(m, [])\na.invoke({'messages': [], 'is_last_step': False})\n",
            NEW + "a = create_agent(m, [])\na.invoke({'messages': [], 'is_last_step': False})\n",
        ),
        (
            HEAD + "if create_react_agent is None:\n    raise SystemExit\na = create_react_agent(m, [])\n",
            NEW + "if create_agent is None:\n    raise SystemExit\na = create_agent(m, [])\n",
        ),
        (
            HEAD + "class A:\n    SYSTEM: str = 'x'\n    def f(self):\n"
            "        return create_react_agent(m, [], prompt=self.SYSTEM)\n",
            NEW + "class A:\n    SYSTEM: str = 'x'\n    def f(self):\n"
            "        return create_agent(m, [], system_prompt=self.SYSTEM)\n",
        ),
    ],
)
def test_what_is_no_read_no_call_and_text_is_no_reason_to_stay(text: str, new: str) -> None:
    assert moved(text) == new


@pytest.mark.parametrize(
    "read",
    ["state['remaining_steps']", "state.get('is_last_step')", "state.remaining_steps", "'remaining_steps' in state"],
)
def test_a_read_of_a_managed_value_is_a_reason_to_stay(read: str) -> None:
    text = f"{HEAD}def f(state):\n    return {read}\na = create_react_agent(m, [])\n"
    assert left(text) == ["AK018 the file reads remaining_steps, which create_agent does not have"]


def test_a_prompt_function_of_state_and_config_or_store_becomes_a_dynamic_prompt() -> None:
    new = moved(
        HEAD + "def prompt(state, config: RunnableConfig, *, store: BaseStore):\n"
        "    name = config['configurable']['user'], store\n"
        "    return [{'role': 'system', 'content': f'Hi {name}'}] + state['messages']\n"
        "a = create_react_agent(m, [], prompt=prompt, store=s)\n"
    )
    assert new == (
        NEW + "from langchain.agents.middleware import ModelRequest, dynamic_prompt\n"
        "from langgraph.config import get_config\n"
        "@dynamic_prompt\n"
        "def prompt(request: ModelRequest):\n"
        "    config = get_config()\n"
        "    store = request.runtime.store\n"
        "    name = config['configurable']['user'], store\n"
        "    return f'Hi {name}'\n"
        "a = create_agent(m, [], middleware=[prompt], store=s)\n"
    )


@pytest.mark.parametrize("annotation", ["dict", "Settings"])
def test_a_config_that_langgraph_would_not_give_stays(annotation: str) -> None:
    text = f"{HEAD}def prompt(state, config: {annotation}):\n    return state['messages']\n"
    assert left(text + "a = create_react_agent(m, [], prompt=prompt)\n") == [
        "AK004 prompt also takes config, which middleware is not given"
    ]


@pytest.mark.parametrize(
    ("more", "after", "stays"),
    [
        ("", "", False),
        (", checkpointer=True", "", False),
        ("", "g = b.compile(checkpointer=SqliteSaver(c))\n", True),
        (", checkpointer=True", "g = b.compile(checkpointer=SqliteSaver(c))\n", True),
    ],
)
def test_a_static_interrupt_whose_threads_may_be_stored_is_noted_or_stays(more: str, after: str, stays: bool) -> None:
    text = f"{HEAD}a = create_react_agent(m, [t], interrupt_before=['tools']{more})\n{after}"
    new = moved(text)
    assert ("create_react_agent(m" in new) == stays
    assert new.count("# TODO(agentkit): AK014 ") == 1


@pytest.mark.parametrize("saver", ["MemorySaver", "InMemorySaver"])
def test_a_static_interrupt_with_threads_in_memory_alone_moves_without_a_word(saver: str) -> None:
    head = f"{HEAD}from langgraph.checkpoint.memory import {saver}\n"
    own = f"a = create_react_agent(m, [t], interrupt_before=['tools'], checkpointer={saver}())\n"
    outer = f"a = create_react_agent(m, [t], interrupt_before=['tools'])\ng = b.compile(checkpointer={saver}())\n"
    assert "TODO" not in moved(head + own)
    assert "TODO" not in moved(head + outer)


@pytest.mark.parametrize(
    ("name", "old", "said", "new"),
    [
        ("requirements.txt", "langgraph==0.2.60\n", "langgraph==0.2.60 has to become langgraph<2,>=", None),
        ("requirements.txt", "langgraph==0.2.60\n", "the new imports need langchain<2,>=", None),
        ("requirements.txt", "langgraph>=1.2\nlangchain>=1.3\n", "", "langgraph>=1.2\nlangchain>=1.3\n"),
        ("requirements.txt", "flask\n", "", "flask\n"),
        ("pyproject.toml", '[project]\ndependencies = ["langgraph<0.4"]\n', "langgraph<0.4 has to become", None),
    ],
)
def test_what_the_new_imports_need_is_said_and_added_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, old: str, said: str, new: str | None
) -> None:
    (tmp_path / name).write_text(old)
    (tmp_path / "app.py").write_text(HEAD + "a = create_react_agent(m, [])\n")
    main([str(tmp_path)])
    out = capsys.readouterr().out
    assert said in out
    assert (tmp_path / name).read_text() == old
    main([str(tmp_path), "--write", "--deps"])
    after = (tmp_path / name).read_text()
    if new is None:
        assert "langchain<2,>=" in after
        assert "langgraph<2,>=" in after
        assert "0.2.60" not in after
    else:
        assert after == new
        assert name not in out


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("skip = 5", "skip = 5 is not a list of texts"),
        ("exclude = [1]", "exclude = [1] is not a list of texts"),
        ("docs = 'yes'", "docs = 'yes' is not true or false"),
        ("to = 1", "to = 1 is not a text"),
    ],
)
def test_settings_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str], setting: str, words: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.agentkit.migrate]\n{setting}\n")
    assert main([str(tmp_path)]) == 2
    assert words in capsys.readouterr().err


def test_a_pattern_may_have_a_comma(tmp_path: Path) -> None:
    text = HEAD + "a = create_react_agent(m, [])\n"
    for name in ("a,b", "a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "app.py").write_text(text)
    (tmp_path / "pyproject.toml").write_text('[tool.agentkit.migrate]\nexclude = ["a,b/"]\n')
    assert main([str(tmp_path), "--write"]) == 1
    assert [(tmp_path / name / "app.py").read_text() == text for name in ("a,b", "a", "b")] == [True, False, False]


@pytest.mark.parametrize(
    ("main_file", "helper", "stays"),
    [
        ("from app.agents import a\nfrom app.helpers import show\n", "    print(chunk['agent'])\n", True),
        ("from app.agents import a\nfrom app.helpers import show\n", "    print(chunk['model'])\n", False),
        ("from app.agents import a\n", "    print(chunk['agent'])\n", False),
    ],
)
def test_a_file_that_is_used_along_with_an_agent_may_read_its_stream(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], main_file: str, helper: str, stays: bool
) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/agents.py").write_text(HEAD + "a = create_react_agent(m, [])\n")
    (tmp_path / "app/helpers.py").write_text(f"def show(stream):\n    for chunk in x.stream(stream):\n    {helper}")
    (tmp_path / "app/main.py").write_text(main_file)
    main([str(tmp_path), "--json"])
    reasons = [item["reason"] for file in json.loads(capsys.readouterr().out)["files"] for item in file["left"]]
    assert reasons == (["helpers.py reads a legacy node name from an agent"] if stays else [])


@pytest.mark.parametrize("name", ["state", "request", "handler", "runtime", "structured", "messages", "prompt", "self"])
@pytest.mark.parametrize(
    "call",
    [
        "def {name}(s): return s['messages'][1:]\na = create_react_agent(m, [], prompt={name})\n",
        "async def {name}(s): return s['messages'][1:]\na = create_react_agent(m, [], prompt={name})\n",
        "{name} = ChatPromptTemplate.from_messages([])\na = create_react_agent(m, [], prompt={name})\n",
        "{name} = ChatModel()\na = create_react_agent({name}, [], response_format=City)\n",
        "def {name}(s): return x\na = create_react_agent(m, [], pre_model_hook={name})\nb = {name}\n",
        "def {name}(s): return {{'messages': []}}\na = create_react_agent(m, [], post_model_hook={name})\nb = {name}\n",
    ],
)
def test_a_name_of_the_user_is_never_one_of_a_method_that_is_written(name: str, call: str) -> None:
    new = moved(f"{HEAD}from langchain_core.prompts import ChatPromptTemplate\n{call.format(name=name)}")
    assert "a = create_agent(" in new
    for node in ast.walk(ast.parse(new)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name != name:
            own = {a.arg for a in node.args.args}
            own |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            called = {n.func.id for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
            assert not called & own - {"handler"}
            if name != "handler":
                assert name not in called & own
