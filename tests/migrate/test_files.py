"""Files of every kind: found, read, rewritten whole or not at all, and named when they fail."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from agentkit.migrate.cli import main
from agentkit.migrate.files import walk

LEGACY = (
    "from langgraph.prebuilt import create_react_agent\n\n\n"
    "def build(model, tools):\n"
    '    return create_react_agent(model, tools, prompt="Be brief.")\n'
)
NEW = (
    "from langchain.agents import create_agent\n\n\n"
    "def build(model, tools):\n"
    '    return create_agent(model, tools, system_prompt="Be brief.")\n'
)
STAYS = LEGACY.replace('prompt="Be brief."', 'prompt="Be brief.", version="v1"')


def run(*arguments: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def result(*arguments: object, capsys: pytest.CaptureFixture[str]) -> dict:
    return json.loads(run(*arguments, "--json", capsys=capsys)[1])


def test_nothing_is_changed_without_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "app.py"
    file.write_text(LEGACY)
    code, out, _ = run(tmp_path, capsys=capsys)
    assert code == 1
    assert "+from langchain.agents import create_agent" in out
    assert file.read_text() == LEGACY


def test_write_changes_the_files_and_a_second_run_finds_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "app.py"
    file.write_text(LEGACY)
    assert run(tmp_path, "--write", capsys=capsys)[0] == 1
    assert file.read_text() == NEW
    assert run(tmp_path, "--write", capsys=capsys)[0] == 0


def test_check_says_what_would_change_without_the_diff(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.py").write_text(LEGACY)
    code, out, _ = run(tmp_path, "--check", capsys=capsys)
    assert code == 1
    assert "1 would change" in out
    assert "+from" not in out


def test_strict_exits_4_while_something_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.py").write_text(STAYS)
    assert run(tmp_path, "--write", "--strict", capsys=capsys)[0] == 4
    assert run(tmp_path, "--strict", capsys=capsys)[0] == 4
    code, out, _ = run(tmp_path, capsys=capsys)
    assert code == 0
    assert "left on the shim" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name files or directories"),
        (["no/such/place"], "there is no no/such/place"),
        (["--only", "AK999", "."], "there is no rule AK999"),
        (["--apply", "AK003", "."], "AK003 has nothing to apply"),
        (["--explain", "AK0"], "there is no rule AK0"),
    ],
)
def test_wrong_usage_is_told_and_exits_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(*arguments, capsys=capsys)
    assert code == 2
    assert message in err


def test_a_file_that_fails_is_named_and_the_others_are_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {
        "broken.py": b"from langgraph.prebuilt import create_react_agent\ndef f(:\n",
        "python2.py": b"from langgraph.prebuilt import ToolNode\nprint 'hello'\n",
        "latin.py": b"# \xe9 langgraph prebuilt\nfrom langgraph.prebuilt import ToolNode\n",
        "cookie.py": b"# -*- coding: nonsense -*-\nfrom langgraph.prebuilt import ToolNode\n",
        "cut.ipynb": b'{"cells": [{"cell_type": "code", "source": ["from langgraph.prebuilt import X',
        "list.ipynb": b'["langgraph.prebuilt"]',
        "nulls.py": b"from langgraph.prebuilt import ToolNode\n\0\n",
        "deep.py": b"from langgraph.prebuilt import ToolNode\nx = " + b"(" * 5_000 + b")" * 5_000,
    }
    for name, data in texts.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    (tmp_path / "good.py").write_text(LEGACY)
    (tmp_path / "empty.py").write_text("")
    code, out, _ = run(tmp_path, "--write", capsys=capsys)
    assert code == 3
    assert (tmp_path / "good.py").read_text() == NEW
    for name, data in texts.items():
        assert f"{name}: failed: " in out
        assert (tmp_path / name).read_bytes() == data
    assert "loop.py: failed: " in out
    assert "empty.py" not in out
    assert not list(tmp_path.glob(".*"))


def test_a_read_only_file_is_named_and_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "app.py"
    file.write_text(LEGACY)
    file.chmod(0o444)
    code, out, _ = run(tmp_path, "--write", capsys=capsys)
    assert code == 3
    assert "app.py: failed: the file is read-only" in out
    assert file.read_text() == LEGACY


def test_files_without_legacy_code_are_not_even_parsed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.py"
    file.write_bytes(b"def f(:\n\xff")
    assert run(tmp_path, "--write", capsys=capsys)[0] == 0
    assert file.read_bytes() == b"def f(:\n\xff"


@pytest.mark.parametrize(
    ("data", "new"),
    [
        (LEGACY.replace("\n", "\r\n").encode(), NEW.replace("\n", "\r\n").encode()),
        (b"\xef\xbb\xbf" + LEGACY.encode(), b"\xef\xbb\xbf" + NEW.encode()),
        (
            b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + LEGACY.encode(),
            b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + NEW.encode(),
        ),
        (LEGACY.rstrip("\n").encode(), NEW.rstrip("\n").encode()),
        (LEGACY.replace("    ", "\t").encode(), NEW.replace("    ", "\t").encode()),
        (b"\x0c\n" + LEGACY.encode(), b"\x0c\n" + NEW.encode()),
    ],
    ids=["crlf", "bom", "cookie", "no-final-newline", "tabs", "form-feed"],
)
def test_encodings_and_line_ends_stay(
    tmp_path: Path, data: bytes, new: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "app.py"
    file.write_bytes(data)
    assert run(file, "--write", capsys=capsys)[0] == 1
    assert file.read_bytes() == new


def test_mode_bits_and_links_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_text(LEGACY)
    real.chmod(0o755)
    link.symlink_to(real)
    run(link, "--write", capsys=capsys)
    assert link.is_symlink()
    assert real.read_text() == NEW
    assert stat.S_IMODE(real.stat().st_mode) == 0o755


def test_a_five_megabyte_file_is_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "big.py"
    filler = "\n".join(f'TEXT_{number} = """{"x" * 5_000}"""' for number in range(1_000))
    file.write_text(f"{LEGACY}\n{filler}\n")
    assert file.stat().st_size > 5_000_000
    assert run(file, "--write", capsys=capsys)[0] == 1
    assert file.read_text() == f"{NEW}\n{filler}\n"


def test_ignored_and_generated_places_are_left_out(tmp_path: Path) -> None:
    for name in ("a.py", "b.pyi", "c.ipynb", "skip.py", "sub/d.py", "sub/keep.py", "out/e.py", ".venv/f.py",
                 "node_modules/g.py", "x.egg-info/h.py", "notes.txt", "sub/deep/i.py"):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("/out/\nskip.py\n*d.py\n")
    (tmp_path / "sub/.gitignore").write_text("!d.py\n/deep/\n")
    (tmp_path / "sub/again").symlink_to(tmp_path)
    found = [str(path.relative_to(tmp_path)) for path in walk([tmp_path])]
    assert found == ["a.py", "b.pyi", "c.ipynb", "sub/d.py", "sub/keep.py"]
    assert [path.name for path in walk([tmp_path / "sub"])] == ["d.py", "keep.py"]
    assert [path.name for path in walk([tmp_path / "skip.py"])] == ["skip.py"]
    assert [path.name for path in walk([tmp_path], ["sub/", "*.pyi"])] == ["a.py", "c.ipynb"]


def test_standard_input_comes_out_rewritten(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "agentkit.cli", "migrate", "-"]
    done = subprocess.run(command, input=LEGACY.encode(), capture_output=True, check=False, cwd=tmp_path)
    assert done.stdout == NEW.encode()
    assert done.returncode == 1
    same = subprocess.run(command, input=NEW.encode(), capture_output=True, check=False, cwd=tmp_path)
    assert same.stdout == NEW.encode()
    assert same.returncode == 0
    broken = subprocess.run(command, input=b"def f(:", capture_output=True, check=False, cwd=tmp_path)
    assert broken.returncode == 3
    assert broken.stdout == b""


def test_json_needs_no_rich(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(LEGACY)
    program = (
        "import sys; sys.modules['rich'] = None\n"
        "from agentkit.migrate.cli import main\n"
        "sys.exit(main([sys.argv[1], '--json']))"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    data = json.loads(done.stdout)
    assert data["summary"]["changed"] == 1
    assert data["files"][0]["changes"][0] == {"code": "AK001", "line": 1}


def test_pyproject_settings_hold_and_the_command_line_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.agentkit.migrate]\nto = "shim"\nexclude = ["old/"]\nstrict = true\n'
    )
    for name in ("app.py", "old/app.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(LEGACY)
    data = result(tmp_path, capsys=capsys)
    assert [file["path"] for file in data["files"]] == [str(tmp_path / "app.py")]
    assert "+from agentkit.prebuilt import create_react_agent" in data["files"][0]["diff"]
    data = result(tmp_path, "--to", "create_agent", capsys=capsys)
    assert "+from langchain.agents import create_agent" in data["files"][0]["diff"]
    (tmp_path / "pyproject.toml").write_text("[tool.agentkit.migrate]\nwrong = 1\n")
    assert run(tmp_path, capsys=capsys)[0] == 2


def test_only_and_skip_leave_the_rest_on_the_shim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.py").write_text(LEGACY)
    for arguments in (["--skip", "AK003"], ["--only", "AK005"]):
        data = result(tmp_path, *arguments, capsys=capsys)
        assert data["summary"]["rewrites"] == {"AK001": 1}
        assert "TODO(agentkit)" not in data["files"][0]["diff"]
    assert result(tmp_path, "--only", "ak003", capsys=capsys)["summary"]["rewrites"]["AK003"] == 1


def test_offered_rewrites_are_applied_when_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "app.py"
    file.write_text(
        "from langgraph.prebuilt import create_react_agent\n\n"
        "a = create_react_agent(model, tools, interrupt_before=['tools'], checkpointer=saver)\n"
        "b = create_react_agent(model, tools, response_format=('Name it.', City), version='v1')\n"
    )
    run(file, "--write", "--apply", "AK007,AK014,AK018", capsys=capsys)
    text = file.read_text()
    assert 'a = agentkit_create_agent(model, tools, interrupt_on={"*": True}, checkpointer=saver)' in text
    assert "# TODO(agentkit): AK014 resume with Command(resume=" in text
    assert "b = create_agent(model, tools, response_format=ToolStrategy(City))" in text
    assert "from agentkit.agents import create_agent as agentkit_create_agent" in text
    before = text
    run(file, "--write", "--apply", "AK007,AK014,AK018", capsys=capsys)
    assert file.read_text() == before


def test_the_report_is_one_page_with_diffs_and_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.py").write_text(STAYS)
    (tmp_path / "broken.py").write_text("from langgraph.prebuilt import (\n")
    page = tmp_path / "report.html"
    assert run(tmp_path, "--report", page, capsys=capsys)[0] == 3
    text = page.read_text()
    assert "AK018 left on the shim" in text
    assert "<span class='add'>+from agentkit.prebuilt import create_react_agent</span>" in text
    assert "broken.py" in text
    assert "http" not in text


def test_rules_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run("--list-rules", capsys=capsys)
    assert code == 0
    assert "AK005  pre_model_hook=" in out
    code, out, _ = run("--explain", "AK005", capsys=capsys)
    assert code == 0
    assert "Before:\n\n```python\ndef trim(state):" in out


# --- what other files say ---


def tree(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_name_that_another_file_imports_stays_importable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree(tmp_path, app__agents=LEGACY, app__main="from app.agents import build, create_react_agent\n")
    run(tmp_path, "--write", capsys=capsys)
    text = (tmp_path / "app/agents.py").read_text()
    assert "from agentkit.prebuilt import create_react_agent\n" in text
    assert "create_agent(model" in text


@pytest.mark.parametrize(
    "test",
    [
        "from unittest.mock import patch\n\n@patch('app.agents.create_react_agent')\ndef test(m): ...\n",
        "from app import agents\n\ndef test(monkeypatch):\n"
        "    monkeypatch.setattr(agents, 'create_react_agent', None)\n",
    ],
)
def test_a_module_whose_tests_replace_the_function_stays_on_the_shim(
    tmp_path: Path, test: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tree(tmp_path, app__agents=LEGACY, tests__test_app=test)
    data = result(tmp_path, capsys=capsys)
    (left,) = data["files"][0]["left"]
    assert left["reason"] == "test_app.py replaces create_react_agent in this module"


def test_an_agent_whose_node_names_another_file_reads_stays_on_the_shim(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = "from .agents import build\n\nfor chunk in build(1, []).stream({}):\n    print(chunk['agent'])\n"
    tree(tmp_path, app__agents=LEGACY, app__main=reader, app____init__="", other__agents=LEGACY)
    data = result(tmp_path, capsys=capsys)
    reasons = {file["path"]: [left["reason"] for left in file["left"]] for file in data["files"]}
    assert reasons[str(tmp_path / "app/agents.py")] == ["main.py reads a legacy node name from an agent"]
    assert reasons[str(tmp_path / "other/agents.py")] == []


def test_the_hook_for_pre_commit_runs_the_check() -> None:
    hooks = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text()
    assert "entry: agentkit migrate --check" in hooks


def test_walking_is_in_order_and_names_a_directory_that_can_not_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "a.py").write_text(LEGACY)
    closed.chmod(0)
    try:
        if os.access(closed, os.R_OK):
            return  # the superuser reads everything
        assert run(tmp_path, capsys=capsys)[0] == 3
    finally:
        closed.chmod(0o755)


def test_a_prompt_imported_from_a_file_of_the_run_counts_as_the_text_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = (
        "from langgraph.prebuilt import create_react_agent\n"
        "from app.prompts import PLAN as P, ROLE, edit, write\n\n"
        "a = create_react_agent(m, [], prompt=P)\n"
        "b = create_react_agent(m, [], prompt=write())\n"
        "c = create_react_agent(m, [], prompt=ROLE)\n"
        "d = create_react_agent(m, [], prompt=edit)\n"
    )
    prompts = (
        "PLAN = f'You plan {1}.'\nPLAN += ' Well.'\n"
        "ROLE = 'x'\nif True:\n    ROLE = lambda state: []\n"
        "def write() -> str:\n    return 'x'\n"
        "def edit(state) -> str:\n    return []\n"
    )
    tree(tmp_path, app__agents=agents, app__prompts=prompts)
    run(tmp_path, "--write", capsys=capsys)
    text = (tmp_path / "app/agents.py").read_text()
    assert "a = create_agent(m, [], system_prompt=P)" in text
    assert "b = create_agent(m, [], system_prompt=write())" in text
    assert "c = create_react_agent(m, [], prompt=ROLE)" in text
    assert "edit(request.state)" in text
    assert "d = create_agent(m, [], middleware=[PromptMiddleware()])" in text
