"""What `agentkit doctor PATH` finds: every legacy name, however imported, and every file it could not read."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from agentkit._moves import BY_NAME, GONE, LEGACY_ROOT
from agentkit.cli import main
from agentkit.doctor import diagnose
from agentkit.migrate.names import bindings, stars
from agentkit.migrate.source import Source, parse

PROGRAMS = {
    "the module under another name": (
        "import langgraph.prebuilt as lp\nagent = lp.create_react_agent(m, [])\n",
        {"create_react_agent": 1},
    ),
    "the module out of its package": (
        "from langgraph import prebuilt\nagent = prebuilt.create_react_agent(m, [])\n",
        {"create_react_agent": 1},
    ),
    "a submodule under another name": (
        "from langgraph.prebuilt import chat_agent_executor as cae\nclass S(cae.AgentState): ...\n",
        {"AgentState": 1},
    ),
    "a dotted chain": (
        "import langgraph.prebuilt.interrupt\nx: langgraph.prebuilt.interrupt.HumanInterrupt\n",
        {"HumanInterrupt": 1},
    ),
    "names, one of them under another name": (
        "from langgraph.prebuilt import ToolNode, create_react_agent as build\nbuild(m, ToolNode([])).invoke({})\n",
        {"create_react_agent": 2},
    ),
    "inside a function and a try": (
        "def f():\n    try:\n        from langgraph.prebuilt import ValidationNode\n    except ImportError:\n"
        "        ValidationNode = None\n    return ValidationNode\n",
        {"ValidationNode": 2},
    ),
    "quoted annotations": (
        "from langgraph.prebuilt.chat_agent_executor import AgentState\n"
        "def f(a: 'AgentState', b: list['AgentState']) -> 'AgentState | None': ...\n",
        {"AgentState": 4},
    ),
    "a name that is gone": (
        "from langgraph.prebuilt import ToolExecutor\nToolExecutor([])\n",
        {"ToolExecutor": 2},
    ),
    "other modules with the same names": (
        "from agentkit.prebuilt import create_react_agent\nimport prebuilt\nfrom .prebuilt import AgentState\n"
        "prebuilt.create_react_agent(AgentState)\nx.langgraph.prebuilt.create_react_agent\n",
        {},
    ),
}


@pytest.mark.parametrize(("program", "found"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_legacy_name_is_found_however_it_was_imported(tmp_path: Path, program: str, found: dict[str, int]) -> None:
    (tmp_path / "app.py").write_text(program)
    expected = {str(tmp_path / "app.py"): found} if found else {}
    assert diagnose([tmp_path]).legacy == expected
    assert found == names_the_codemod_sees(program)


def names_the_codemod_sees(program: str) -> dict[str, int]:
    source = Source(parse(program))
    counts: Counter[str] = Counter()
    for binding in bindings(source):
        if binding.module.startswith(LEGACY_ROOT):
            counts.update([binding.name, *(use.name for use in binding.uses)])
    return {
        name: count
        for name, count in counts.items()
        if name in GONE or (name in BY_NAME and BY_NAME[name].since is not None)
    }


def test_a_star_import_is_found_with_the_names_that_came_with_it(tmp_path: Path) -> None:
    program = "from langgraph.prebuilt import *\nagent = create_react_agent(m, [])\nAgentState\n"
    (tmp_path / "app.py").write_text(program)
    assert diagnose([tmp_path]).legacy == {str(tmp_path / "app.py"): {"*": 1, "create_react_agent": 1}}
    assert len(stars(Source(parse(program)))) == 1


CELLS = [
    "%load_ext agentkit\nfiles = !ls\nsys.path?\n?len\nfrom langgraph import prebuilt",
    "%%bash\nfrom langgraph.prebuilt import ValidationNode",
    "%%time\nagent = prebuilt.create_react_agent(model, [])",
    "this is no Python\n",
    ["text = ('x'\n", "% prebuilt.create_react_agent(model, []))\n"],
    None,
]


def test_a_notebook_is_scanned_cell_by_cell_magics_and_all(tmp_path: Path) -> None:
    cells = [{"cell_type": "markdown", "source": "# prebuilt"}]
    cells += [{"cell_type": "code", "source": source} for source in CELLS]  # type: ignore[dict-item]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}))
    found = diagnose([tmp_path])
    assert found.legacy == {str(tmp_path / "a.ipynb"): {"create_react_agent": 2}}
    (reason,) = found.unreadable
    assert reason.startswith(f"{tmp_path / 'a.ipynb'}, code cell 4: SyntaxError: ")


LEGACY = "from langgraph.prebuilt import create_react_agent\n"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cookie.py", b"# -*- coding: latin-1 -*-\n# \xe9\n" + LEGACY.encode()),
        ("bom.py", b"\xef\xbb\xbf" + LEGACY.encode()),
        ("stub.pyi", LEGACY.encode()),
        ("escape.py", LEGACY.encode() + b"x = '\\d'\n"),
    ],
)
def test_a_file_is_read_as_python_reads_it(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert diagnose([tmp_path]).legacy == {str(tmp_path / name): {"create_react_agent": 1}}


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("syntax.py", b"print 'prebuilt'\n", "SyntaxError"),
        ("latin.py", LEGACY.encode() + b"x = '\xe9'\n", "SyntaxError"),
        ("cookie.py", b"# -*- coding: no-such -*-\n" + LEGACY.encode(), "SyntaxError"),
        ("null.py", b"\0" + LEGACY.encode(), "Error"),
        ("deep.py", b"prebuilt = " + b"-" * 100_000 + b"1\n", "Error"),
        ("list.ipynb", b'["prebuilt"]', "ValueError: no notebook: it has no list of cells"),
        ("cells.ipynb", b'{"cells": ["prebuilt"]}', "ValueError: no notebook: it has no list of cells"),
        ("empty.ipynb", b"prebuilt", "JSONDecodeError"),
        ("latin.ipynb", b'{"cells": ["prebuilt \xe9"]}', "UnicodeDecodeError"),
        ("fifo.py", None, "OSError: not a regular file"),
        ("loop.py", "loop.py", "OSError: Too many levels of symbolic links"),
        ("broken.py", "absent.py", "FileNotFoundError: No such file or directory"),
    ],
)
def test_what_cannot_be_read_is_named_and_the_rest_is_scanned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes | str | None, reason: str
) -> None:
    (tmp_path / "z.py").write_text(LEGACY)
    if data is None:
        os.mkfifo(tmp_path / name)
    elif isinstance(data, str):
        (tmp_path / name).symlink_to(tmp_path / data)
    else:
        (tmp_path / name).write_bytes(data)
    assert main(["doctor", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    (line,) = [line for line in printed.splitlines() if "not read: " in line]
    assert line.startswith(f"  not read: {tmp_path / name}: ")
    assert reason in line
    assert f"{tmp_path / 'z.py'}: create_react_agent 1" in printed


def test_a_link_to_itself_that_is_named_is_not_called_absent(tmp_path: Path) -> None:
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    assert diagnose([tmp_path / "loop.py"]).unreadable == [
        f"{tmp_path / 'loop.py'}: OSError: Too many levels of symbolic links"
    ]


def test_a_folder_that_links_to_itself_is_walked_once(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(LEGACY)
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert list(diagnose([tmp_path]).legacy) == [str(tmp_path / "app.py")]


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    listed = os.scandir

    def scandir(path: str) -> object:  # permissions don't stop root, which the suite may run as
        if os.fspath(path) == str(closed):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert diagnose([tmp_path]).unreadable == [f"{closed}: PermissionError: Permission denied"]
