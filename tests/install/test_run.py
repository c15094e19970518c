"""`agentkit run`, the pytest plugin and the notebook extension, as a user starts them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPORT = """
import sys
from langgraph.prebuilt import create_react_agent
print(__name__, create_react_agent.__module__.partition(".")[0], sys.argv[1:])
"""


def agentkit(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "agentkit.cli", *arguments]
    return subprocess.run(command, cwd=cwd, text=True, capture_output=True, check=False, timeout=120)


def test_a_script_runs_as_main_with_its_own_arguments_on_agentkit(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(REPORT)
    done = agentkit("run", "app.py", "-x", "--help", "a b", cwd=tmp_path)
    assert (done.stdout, done.returncode) == ("__main__ agentkit ['-x', '--help', 'a b']\n", 0), done.stderr


def test_a_module_of_the_current_directory_runs_with_dash_m(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/__main__.py").write_text(REPORT)
    done = agentkit("run", "-m", "app", "one", cwd=tmp_path)
    assert (done.stdout, done.returncode) == ("__main__ agentkit ['one']\n", 0), done.stderr


def test_a_script_finds_the_modules_beside_it_and_pickles_its_own_classes(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/beside.py").write_text("VALUE = 41\n")
    (tmp_path / "src/app.py").write_text(
        "import pickle, beside\nclass Box:\n    n = 1\n"
        "print(beside.VALUE + pickle.loads(pickle.dumps(Box())).n, __file__)\n"
    )
    done = agentkit("run", "src/app.py", cwd=tmp_path)
    assert done.stdout == "42 src/app.py\n", done.stderr


@pytest.mark.parametrize(
    ("ending", "code", "error"),
    [
        ("raise SystemExit(7)", 7, ""),
        ("raise SystemExit", 0, ""),
        ("raise SystemExit('no model')", 1, "no model\n"),
    ],
)
def test_the_exit_code_is_the_programs(tmp_path: Path, ending: str, code: int, error: str) -> None:
    (tmp_path / "app.py").write_text(ending)
    done = agentkit("run", "app.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, error)


def test_an_exception_is_shown_from_the_programs_own_first_line_on(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("def f():\n    raise KeyError('gone')\nf()\n")
    done = agentkit("run", "app.py", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[1].strip() == 'File "app.py", line 3, in <module>'
    assert done.stderr.splitlines()[-1] == "KeyError: 'gone'"
    assert "run.py" not in done.stderr.replace("app.py", "")


def test_exit_handlers_still_see_the_programs_names(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import atexit\nX = 'kept'\natexit.register(lambda: print(X))\n")
    assert agentkit("run", "app.py", cwd=tmp_path).stdout == "kept\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["absent.py"], "can't open 'absent.py'"),
        (["-m"], "-m needs the name of a module"),
        (["--verbose", "app.py"], "no option '--verbose'"),
        ([], "usage: agentkit run"),
    ],
)
def test_a_wrong_command_line_is_refused_with_exit_code_2(tmp_path: Path, arguments: list[str], says: str) -> None:
    done = agentkit("run", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr


SUITE = """
from langgraph.prebuilt import create_react_agent

def test_served():
    assert create_react_agent.__module__.startswith("agentkit.")
"""


def test_a_suite_runs_on_agentkit_with_run_pytest_and_with_the_plugin(tmp_path: Path) -> None:
    # The conftest imports the legacy name: the plugin must come before it.
    (tmp_path / "conftest.py").write_text("from langgraph.prebuilt import create_react_agent\n")
    (tmp_path / "test_app.py").write_text(SUITE)
    quiet = ["-q", "-p", "no:cacheprovider"]
    done = agentkit("run", "--pytest", *quiet, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    command = [sys.executable, "-m", "pytest", "-p", "agentkit.testing.plugin", *quiet]
    with_flag = subprocess.run([*command, "--agentkit-install"], cwd=tmp_path, capture_output=True, check=False)
    without = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert with_flag.returncode == 0
    assert without.returncode != 0


def test_a_failing_suite_keeps_pytests_exit_code(tmp_path: Path) -> None:
    (tmp_path / "test_app.py").write_text("def test_no():\n    assert 0\n")
    assert agentkit("run", "--pytest", "-q", cwd=tmp_path).returncode == 1


def test_load_ext_agentkit_serves_the_names_in_a_notebook(tmp_path: Path) -> None:
    cells = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "shell.run_line_magic('load_ext', 'agentkit')\n"
        "from langgraph.prebuilt import create_react_agent as served\n"
        "shell.run_line_magic('unload_ext', 'agentkit')\n"
        "import langgraph.prebuilt\n"
        "plain = vars(langgraph.prebuilt).get('create_react_agent', langgraph.prebuilt.ToolNode)\n"
        "print(served.__module__.partition('.')[0], plain.__module__.partition('.')[0])\n"
    )
    command = [sys.executable, "-c", cells]
    environment = {"IPYTHONDIR": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(command, text=True, capture_output=True, check=False, env=environment)
    assert done.stdout == "agentkit langgraph\n", done.stderr


@pytest.mark.parametrize(
    ("command", "missing", "extra"),
    [("migrate", "libcst", "migrate"), ("verify", "libcst", "migrate"), ("approvals", "rich", "approvals")],
)
def test_a_command_without_its_extra_says_what_to_install(
    tmp_path: Path, command: str, missing: str, extra: str
) -> None:
    (tmp_path / f"{missing}.py").write_text(f"raise ModuleNotFoundError('No module', name={missing!r})")
    done = agentkit(command, "--help", cwd=tmp_path)
    assert done.returncode == 1
    fix = f"pip install 'langgraph-agentkit[{extra}]'"
    assert done.stderr == f"agentkit {command}: {missing} is not installed; run: {fix}\n"
