"""`agentkit run`, the pytest plugin and the notebook extension, as a user starts them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

import agentkit as package

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


@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_a_module_of_the_current_directory_runs_with_dash_m(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/__main__.py").write_text(REPORT)
    done = agentkit("run", "-m", "app", "one", cwd=tmp_path)
    assert (done.stdout, done.returncode) == ("__main__ agentkit ['one']\n", 0), done.stderr


@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_a_script_finds_the_modules_beside_it_and_pickles_its_own_classes(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/beside.py").write_text("VALUE = 41\n")
    (tmp_path / "src/app.py").write_text(
        "import pickle, beside\nclass Box:\n    n = 1\n"
        "print(beside.VALUE + pickle.loads(pickle.dumps(Box())).n, __file__)\n"
    )
    done = agentkit("run", "src/app.py", cwd=tmp_path)
    assert done.stdout == f"42 {tmp_path / 'src/app.py'}\n", done.stderr


@pytest.mark.parametrize(
    ("ending", "code", "error"),
    [
        ("raise SystemExit(7)", 7, ""),
        ("raise SystemExit", 0, ""),
        ("raise SystemExit('no model')", 1, "no model\n"),
    ],
)
@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_the_exit_code_is_the_programs(tmp_path: Path, ending: str, code: int, error: str) -> None:
    (tmp_path / "app.py").write_text(ending)
    done = agentkit("run", "app.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, error)


def test_an_exception_is_shown_from_the_programs_own_first_line_on(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("def f():\n    raise KeyError('gone')\nf()\n")
    done = agentkit("run", "app.py", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[1].strip() == f'File "{tmp_path / "app.py"}", line 3, in <module>'
    assert done.stderr.splitlines()[-1] == "KeyError: 'gone'"
    assert "run.py" not in done.stderr.replace("app.py", "")


@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_exit_handlers_still_see_the_programs_names(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import atexit\nX = 'kept'\natexit.register(lambda: print(X))\n")
    assert agentkit("run", "app.py", cwd=tmp_path).stdout == "kept\n"


ALIKE = """
import json, os, sys, __main__
print(json.dumps([
    __file__, sys.argv, sys.path, __name__, __spec__ and __spec__.name, type(__builtins__).__name__,
    sorted(set(vars(__main__)) - {"json", "os", "sys"}), sys.flags.dev_mode,
]))
print(sys.stdin.read())
os.chdir("/")
assert os.path.exists(__file__)
sys.exit(3)
"""


@pytest.mark.parametrize(
    "arguments", [["src/app.py", "-v"], ["-m", "src.app", "x"], ["src"], ["packed"], ["-"], ["-c", ALIKE, "y"]]
)
@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_a_program_sees_of_itself_what_it_sees_under_python(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text(ALIKE)
    (tmp_path / "src/__main__.py").write_text(ALIKE)
    with zipfile.ZipFile(tmp_path / "packed", "w") as packed:
        packed.writestr("__main__.py", ALIKE.replace("os.path.exists(__file__)", "True"))
    given: Any = {"cwd": tmp_path, "text": True, "capture_output": True, "check": False}
    given["input"] = ALIKE.replace("__file__", "None").replace("os.path.exists(None)", "True")
    if arguments[0] == "-c":
        arguments = ["-c", given["input"].replace("sys.stdin.read()", "None"), "y"]
    plain = subprocess.run([sys.executable, *arguments], **given)
    run = subprocess.run([sys.executable, "-m", "agentkit.cli", "run", *arguments], **given)
    assert plain.returncode == 3, plain.stderr
    assert (run.stdout, run.stderr, run.returncode) == (plain.stdout, plain.stderr, plain.returncode)


@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_a_program_that_is_interrupted_ends_as_under_python(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass\n")
    done = agentkit("run", "app.py", cwd=tmp_path)
    assert done.returncode == -signal.SIGINT
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"
    assert "agentkit" not in done.stderr


CHILDREN = """
import multiprocessing, subprocess, sys

def report(_=None):
    from langgraph.prebuilt import create_react_agent
    return create_react_agent.__module__.partition(".")[0]

if __name__ == "__main__":
    for method in ("spawn", "fork", "forkserver"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(pool.map(report, [0]))
    code = "from langgraph.prebuilt import create_react_agent as c; print(c.__module__)"
    print(subprocess.run([sys.executable, "-c", code], text=True, capture_output=True).stdout)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
def test_the_processes_that_a_program_starts_are_served_too(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(CHILDREN)
    done = agentkit("run", "app.py", cwd=tmp_path)
    assert done.stdout.count("agentkit") == 4, done.stdout + done.stderr


@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_the_environments_own_sitecustomize_still_runs(tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks/sitecustomize.py").write_text("import sys\nsys.from_site = 'its own'\n")
    (tmp_path / "app.py").write_text("import sys, sitecustomize\nprint(sys.from_site, sitecustomize.__file__)\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "hooks")}
    command = [sys.executable, "-m", "agentkit.cli", "run", "app.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True, check=False)
    assert done.stdout == f"its own {tmp_path / 'hooks/sitecustomize.py'}\n", done.stderr


def test_a_program_does_not_run_where_the_names_cannot_be_served(tmp_path: Path) -> None:
    (tmp_path / "broken/langgraph").mkdir(parents=True)
    (tmp_path / "broken/langgraph/__init__.py").write_text("raise RuntimeError('half installed')")
    (tmp_path / "app.py").write_text("print('ran')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "broken")}
    command = [sys.executable, "-m", "agentkit.cli", "run", "app.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True, check=False)
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr == "agentkit run: half installed\n`agentkit doctor` may know why.\n"


def test_a_program_does_not_run_where_pythonpath_cannot_hold_agentkits_folder(tmp_path: Path) -> None:
    folder = tmp_path / f"a{os.pathsep}b"
    folder.mkdir()
    (folder / "agentkit").symlink_to(Path(package.__file__).parent)
    (tmp_path / "app.py").write_text("print('ran')")
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); from agentkit.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "run", "app.py"]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False)
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.startswith(f"agentkit run: PYTHONPATH can't hold '{folder}{os.sep}agentkit")
    assert done.stderr.count("\n") == 1


def another_python(folder: Path) -> Path:
    """Make an environment that has agentkit on a pair of versions that is known not to work."""
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    (site,) = folder.glob("[Ll]ib/**/site-packages")
    (site / "agentkit").symlink_to(Path(package.__file__).parent)
    for name, version in (("langgraph", "1.0.10"), ("langgraph-prebuilt", "1.0.13")):
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (site / "sitecustomize.py").write_text("import sys\nsys.from_site = 'its own'\n")
    return next(folder.glob("[bS]*/python*"))


@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_another_environments_python_that_the_program_starts_is_left_alone(tmp_path: Path) -> None:
    other = another_python(tmp_path / "other")
    code = "import sys; print(sys.from_site, sys.prefix, 'agentkit' in sys.modules)"
    (tmp_path / "app.py").write_text(
        f"import subprocess, sys\nsys.exit(subprocess.run([{str(other)!r}, '-c', {code!r}]).returncode)\n"
    )
    done = agentkit("run", "app.py", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (f"its own {tmp_path / 'other'} False\n", "", 0)


@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_a_python_that_is_started_through_a_link_to_the_environment_is_served(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(sys.prefix)
    linked = tmp_path / "link" / Path(sys.executable).relative_to(sys.prefix)
    code = "from langgraph.prebuilt import create_react_agent as c; print(c.__module__.partition('.')[0])"
    (tmp_path / "app.py").write_text(f"import subprocess\nsubprocess.run([{str(linked)!r}, '-c', {code!r}])\n")
    assert agentkit("run", "app.py", cwd=tmp_path).stdout == "agentkit\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["absent.py"], "can't open file"),
        (["-m"], "rgument expected for the -m option"),
        (["-I", "app.py"], "no option '-I'"),
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
    # pytest warns about plugins that were imported before it looked at them; anyio is one, which langgraph imports.
    strict = ["-W", "error", "-W", "ignore::agentkit.AgentkitDeprecationWarning"]
    strict += ["-o", "asyncio_default_fixture_loop_scope=function"]  # without it, pytest-asyncio warns
    done = agentkit("run", "--pytest", *quiet, *strict, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    command = [sys.executable, "-m", "pytest", "-p", "agentkit.testing.plugin", *quiet]
    with_flag = subprocess.run([*command, "--agentkit-install"], cwd=tmp_path, capture_output=True, check=False)
    without = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert with_flag.returncode == 0
    assert without.returncode != 0


@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
def test_a_failing_suite_keeps_pytests_exit_code(tmp_path: Path) -> None:
    (tmp_path / "test_app.py").write_text("def test_no():\n    assert 0\n")
    assert agentkit("run", "--pytest", "-q", cwd=tmp_path).returncode == 1


@pytest.mark.slow(reason="starts Pythons that import langgraph, seconds each")
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
