"""What all subcommands share."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from agentkit._loader import LoadError, load
from agentkit.cli import COMMANDS, main

commands = pytest.mark.parametrize("name", COMMANDS)


@commands
def test_ctrl_c_is_one_line_and_130(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(argv: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module(COMMANDS[name][0]), "main", interrupted)
    assert main([name]) == 130
    assert capsys.readouterr().err == f"\nagentkit {name}: interrupted\n"


@commands
def test_help_says_the_exit_codes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main([name, *(["move"] if name == "threads" else []), "--help"])
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 0
    assert "exit: " in capsys.readouterr().out.replace("exit code: ", "exit: ")


def test_python_m_agentkit_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "agentkit", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("agentkit ")


def test_completion_of_bash_knows_every_command() -> None:
    words = "COMP_WORDS=(agentkit d); COMP_CWORD=1; _agentkit"
    program = f'eval "$({sys.executable} -m agentkit completion bash)"; {words}; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["demo", "doctor"]


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("agent", "neither file.py:name nor module:name"),
        ("app.py:", "neither file.py:name nor module:name"),
        ("nowhere.py:agent", "there is no file "),
        ("no_such_module:agent", "there is no module no_such_module"),
        ("agentkit.hitl:nothing", "agentkit.hitl has no 'nothing'"),
        ("broken.py:agent", "broken.py can't be imported: ZeroDivisionError: division by zero"),
        ("slip.py:agent", "slip.py can't be imported: SyntaxError"),
    ],
)
def test_what_can_not_be_loaded_is_told(
    reference: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("broken.py").write_text("1 / 0\n")
    Path("slip.py").write_text("def (\n")
    with pytest.raises(LoadError, match=re.escape(says)):
        load(reference)


def test_two_files_of_one_name_are_two_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same_name.py").write_text(f"agent = {folder!r}\n")
    assert [load(f"{tmp_path / folder}/same_name.py:agent") for folder in ("old", "new")] == ["old", "new"]
