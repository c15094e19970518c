"""`agentkit run`: run a program that imports `langgraph.prebuilt`, unchanged, on agentkit."""

from __future__ import annotations

import io
import os
import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from agentkit._compat import check
from agentkit._install import install

USAGE = """usage: agentkit run SCRIPT [ARGUMENT ...]
       agentkit run -m MODULE [ARGUMENT ...]
       agentkit run --pytest [ARGUMENT ...]

Calls agentkit.install() and then runs the program as `python` would, with its own arguments and exit code:
code that imports langgraph.prebuilt gets agentkit's versions of what upstream has deprecated or deleted.
Processes that the program starts anew (subprocess, multiprocessing's spawn) are not covered."""


def main(argv: Sequence[str]) -> int:
    """Run a script, a module or pytest with `langgraph.prebuilt` served by agentkit.

    Args:
        argv: The arguments after `agentkit run`.

    Returns:
        The exit code of the program, or 2 where no program was given or it does not exist.
    """
    arguments = list(argv)
    try:
        check()
    except ImportError as error:
        print(f"agentkit run: {error}", file=sys.stderr)
        return 1
    if not arguments or arguments[0] in {"-h", "--help"}:
        print(USAGE, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    if arguments[0] == "--pytest":
        return _pytest(arguments[1:])
    if arguments[0] == "-m":
        if len(arguments) == 1:
            return _refuse("-m needs the name of a module")
        return _module(arguments[1], arguments[2:])
    if arguments[0].startswith("-"):
        return _refuse(f"there is no option {arguments[0]!r}; options of the program go after its name")
    return _script(arguments[0], arguments[1:])


def _refuse(reason: str) -> int:
    print(f"agentkit run: {reason}\n\n{USAGE}", file=sys.stderr)
    return 2


def _pytest(arguments: list[str]) -> int:
    import pytest

    sys.path.insert(0, os.getcwd())
    sys.argv = ["pytest", *arguments]
    return int(pytest.main(["-p", "agentkit.testing.plugin", "--agentkit-install", *arguments]))


def _module(name: str, arguments: list[str]) -> int:
    sys.path.insert(0, os.getcwd())
    sys.argv = [name, *arguments]
    install()
    # run_module sets argv[0] to the module's file, as python does.
    return _exit_code(lambda: runpy.run_module(name, run_name="__main__", alter_sys=True))


def _script(name: str, arguments: list[str]) -> int:
    path = Path(name)
    if not path.exists():
        return _refuse(f"can't open {name!r}: there is no such file")
    sys.argv = [name, *arguments]
    if path.is_dir() or path.suffix in {".zip", ".pyz"}:
        install()
        return _exit_code(lambda: runpy.run_path(name, run_name="__main__"))
    sys.path.insert(0, str(path.resolve().parent))
    install()
    return _exit_code(lambda: _execute(name))


def _execute(name: str) -> None:
    """Run a file as `__main__`, and leave it there: threads and exit handlers still look names up in it."""
    main_module = ModuleType("__main__")
    vars(main_module).update(__file__=name, __builtins__=__builtins__, __spec__=None)
    sys.modules["__main__"] = main_module
    with io.open_code(os.path.abspath(name)) as file:
        code: CodeType = compile(file.read(), name, "exec", dont_inherit=True)
    exec(code, vars(main_module))


def _exit_code(program: Callable[[], Any]) -> int:
    """Run the program; its exceptions are shown without the frames that are agentkit's and runpy's."""
    try:
        program()
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        print(stop.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever the program raised is reported as python does
        _report(error)
        return 1
    return 0


def _report(error: BaseException) -> None:
    frame = error.__traceback__
    machinery = {__file__, runpy.__file__, "<frozen runpy>"}
    while frame is not None and frame.tb_frame.f_code.co_filename in machinery:
        frame = frame.tb_next
    sys.excepthook(type(error), error.with_traceback(frame), frame)
