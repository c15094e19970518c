"""Whole programs and notebooks: run them before and after `agentkit migrate`, with a scripted model.

The first comment lines of a program say what the check needs and can't see:

    # agent: Assistant().graph        where its agent is (default: agent; none: only what it prints counts)
    # stays: AK003 AK007              the codes of what rightly stays on the shim (default: nothing stays)
    # script: [call("add", a=1, b=2), "3"]    what the model answers (default: it tries the agent's tools)
    # inputs: [{"messages": ...}]     what the agent is sent (default: a greeting, twice where threads are stored)
    # structured: {"answer": "x"}     the model's structured answer
    # config: {...} / context: {...}  the rest of the run
    # historical                      written for arguments that today's langgraph no longer takes
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import io
import json
import re
import shutil
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.types import Command

from agentkit.migrate.cli import main as migrate
from agentkit.migrate.notebooks import code_cells
from agentkit.testing import ScriptedChatModel, assert_parity, call
from agentkit.testing.parity import MODES, How

HERE = Path(__file__).parent
PROGRAMS, NOTEBOOKS, STANDINS = HERE / "programs", HERE / "notebooks", HERE / "standins"
PROVIDERS = {
    "langchain_openai": ("ChatOpenAI", "AzureChatOpenAI"),
    "langchain_anthropic": ("ChatAnthropic",),
    "langchain_groq": ("ChatGroq",),
    "langchain_ollama": ("ChatOllama",),
    "langchain_google_genai": ("ChatGoogleGenerativeAI",),
    "langchain_mistralai": ("ChatMistralAI",),
}
TYPED = ["hello", "and then?"]  # what the user types where a program asks


class EverydayModel(ScriptedChatModel):
    """Tries the tools it is given, then answers; or follows its script."""

    def _answer(
        self, messages: list[BaseMessage], run_manager: CallbackManagerForLLMRun | None, kwargs: dict[str, Any]
    ) -> AIMessage:
        if self.script:
            return super()._answer(messages, run_manager, kwargs)
        tools = [tool["function"] for tool in kwargs.get("tools", []) if "function" in tool]
        turn = sum(isinstance(message, AIMessage) for message in messages)
        # By turn alone: a prompt may put anything last, and create_agent's loop has no limit to speak of.
        if tools and turn % 3 == 0:
            reply: Any = [_try(tool) for tool in tools[:2]]
        elif len(tools) > 1 and turn % 3 == 1:
            reply = _try(tools[-1])
        else:
            results = [str(message.content)[:40] for message in messages if isinstance(message, ToolMessage)]
            reply = f"answer {turn}: " + "; ".join(results[-2:])
        answering = self.model_copy(update={"script": [reply] * (turn + 1)})  # shares the record of calls
        return ScriptedChatModel._answer(answering, messages, run_manager, kwargs)


def _try(tool: dict[str, Any]) -> Any:
    properties = tool.get("parameters", {}).get("properties", {})
    values = {"integer": 2, "number": 2.5, "boolean": True, "array": [], "object": {}}
    return call(tool["name"], **{key: values.get(spec.get("type", "string"), "x") for key, spec in properties.items()})


class _Chat:
    """A provider's chat model class: whatever it is given, it is the model of the run."""

    current: ScriptedChatModel | None = None

    def __new__(cls, *_: Any, **__: Any) -> Any:
        return _Chat.current


_MODULES = {name: types.ModuleType(name) for name in PROVIDERS}
for _name, _classes in PROVIDERS.items():
    for _class in _classes:
        setattr(_MODULES[_name], _class, type(_class, (_Chat,), {}))


@dataclass
class Program:
    """One program: a file, or a directory with a main.py; or a notebook.

    Attributes:
        path: Where it is in the corpus.
        settings: What its first lines say.
    """

    path: Path
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name in the corpus."""
        return self.path.relative_to(HERE).as_posix()

    @property
    def stays(self) -> list[str]:
        """The codes of what rightly stays on the shim."""
        return sorted(self.settings.get("stays", "").split())

    def main(self, root: Path) -> Path:
        """The file that is run, in a copy of the program."""
        return root / "main.py" if self.path.is_dir() else root


def programs() -> list[Program]:
    """All programs of the corpus."""
    directories = {path.parent for path in PROGRAMS.rglob("main.py")}
    files = [path for path in PROGRAMS.rglob("*.py") if not directories & {path.parent, *path.parents}]
    found = sorted([*directories, *files, *NOTEBOOKS.rglob("*.ipynb")])
    return [Program(path, _settings(source(path / "main.py" if path.is_dir() else path))) for path in found]


def source(path: Path) -> str:
    """The text of a file, or of a notebook's code cells without magics."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = [cell.text for cell in code_cells(text) if not cell.text.startswith("%%")]
    return "\n\n".join(re.sub(r"^\s*[%!].*$", "", cell, flags=re.MULTILINE) for cell in cells)


def _settings(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in text.splitlines():
        match = re.match(r"# (agent|stays|script|inputs|structured|config|context|historical)(?:: (.*))?$", line)
        if not match:
            break
        key, value = match[1], match[2] or ""
        plain = key in {"agent", "stays", "historical"}
        found[key] = value if plain else eval(value, {"call": call, "Command": Command, "HumanMessage": HumanMessage})
    return found


@dataclass
class Migrated:
    """A program before and after, and what the command said."""

    before: Path
    after: Path
    left: list[dict[str, Any]]
    changes: list[dict[str, Any]]
    names: dict[str, str]


def migrated(program: Program, directory: Path) -> Migrated:
    """Copy a program twice and migrate one of the copies."""
    before, after = (directory / when / program.path.name for when in ("before", "after"))
    for copy in (before, after):
        copy.parent.mkdir()
        (shutil.copytree if program.path.is_dir() else shutil.copy)(program.path, copy)
    if "historical" in program.settings:
        told(before, "--to", "shim")
    files = told(after)
    assert not [file["error"] for file in files if file["error"]]
    names = {old: new for file in files for old, new in file["node_names"].items()}
    left, changes = ([each for file in files for each in file[key]] for key in ("left", "changes"))
    return Migrated(before, after, left, changes, names)


def told(path: Path, *options: str) -> list[dict[str, Any]]:
    """Run the command on a path; give what it says of each file."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        migrate([str(path), "--write", "--json", *options])
    files: list[dict[str, Any]] = json.loads(out.getvalue())["files"]
    return files


# --- running ---


@contextlib.contextmanager
def _world(root: Path, model: ScriptedChatModel) -> Iterator[None]:
    """The modules a program may import, and its own; afterwards everything is as it was."""
    modules, path, typed = dict(sys.modules), list(sys.path), iter(TYPED)

    def asked(*_: object) -> str:
        return next(typed, "quit")

    old_input, builtins.input = builtins.input, asked
    sys.modules.update(_MODULES)
    sys.path[:0] = [str(root.parent if root.is_file() else root), str(STANDINS)]
    importlib.invalidate_caches()
    _Chat.current = model
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        builtins.input, sys.dont_write_bytecode = old_input, bytecode
        sys.path[:] = path
        roots = (str(root.parent if root.is_file() else root), str(STANDINS))
        for name in [n for n in sys.modules if n not in modules]:
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(roots):
                del sys.modules[name]
        for name in (*_MODULES, "__corpus__"):
            sys.modules.pop(name, None)
            if name in modules:
                sys.modules[name] = modules[name]


def _execute(file: Path, run_as: str) -> dict[str, Any]:
    module = types.ModuleType(run_as)
    module.__file__ = str(file)
    sys.modules["__corpus__"] = module
    main = sys.modules["__main__"]
    if run_as == "__main__":
        sys.modules["__main__"] = module
    else:
        sys.modules[run_as] = module
    try:
        exec(compile(source(file), str(file), "exec", dont_inherit=True), module.__dict__)
    finally:
        sys.modules["__main__"] = main
    return module.__dict__


def model_of(program: Program) -> EverydayModel:
    """The model a program is run with."""
    script, structured = program.settings.get("script", []), program.settings.get("structured")
    return EverydayModel(script=script, structured=structured)


def printed(program: Program, root: Path) -> str:
    """What a program prints when it is run as a script, and how it ends."""
    out = io.StringIO()
    with _world(root, model_of(program)), contextlib.redirect_stdout(out):
        try:
            _execute(program.main(root), "__main__")
        except (Exception, SystemExit) as error:  # noqa: BLE001 - how it ends is part of what it does
            out.write(f"\n{type(error).__name__}: {error}")
    return out.getvalue()


def builder(program: Program, root: Path) -> Callable[[Any], Any]:
    """A builder of the program's agent, for the parity check."""

    def build(model: Any) -> Any:
        with _world(root, model), contextlib.redirect_stdout(io.StringIO()):
            names = _execute(program.main(root), "__corpus__")
            return _Inside(eval(program.settings.get("agent", "agent"), names), root, model)

    return build


class _Inside:
    """An agent that is called in the world it was built in."""

    def __init__(self, agent: Any, root: Path, model: Any) -> None:
        self._agent, self._root, self._model = agent, root, model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agent, name)

    def get_state(self, *args: Any) -> Any:
        with self._world():
            return self._agent.get_state(*args)

    def invoke(self, *args: Any, **options: Any) -> Any:
        with self._world():
            return self._agent.invoke(*args, **options)

    def stream(self, *args: Any, **options: Any) -> Iterator[Any]:
        with self._world():
            yield from self._agent.stream(*args, **options)

    async def ainvoke(self, *args: Any, **options: Any) -> Any:
        with self._world():
            return await self._agent.ainvoke(*args, **options)

    async def astream(self, *args: Any, **options: Any) -> Any:
        with self._world():
            async for chunk in self._agent.astream(*args, **options):
                yield chunk

    @contextlib.contextmanager
    def _world(self) -> Iterator[None]:
        with _world(self._root, self._model), contextlib.redirect_stdout(io.StringIO()):
            yield


def check(program: Program, both: Migrated, ways: list[How]) -> None:
    """Check that a program behaves alike before and after."""
    text = source(program.main(both.before))
    if "print(" in text:
        before, after = printed(program, both.before), printed(program, both.after)
        assert after == before
        if program.settings.get("agent") == "none":
            assert before.strip(), "what it prints is all there is to compare"
            assert "Error: " not in before.rpartition("\n")[2], before
            return
    if not ways:
        return
    new = builder(program, both.after)(model_of(program))
    names = {old: name for old, name in both.names.items() if old not in new.nodes}
    greeting = [{"messages": [("user", "hi")]}, {"messages": [("user", "and then?")]}]
    turns = program.settings.get("inputs", greeting[: 2 if "checkpointer" in text else 1])
    for way in ways:
        # On Python 3.10 create_agent streams no tokens in async runs: a task does not inherit the config.
        silent = way == "async" and sys.version_info < (3, 11)
        assert_parity(
            builder(program, both.before),
            builder(program, both.after),
            turns,
            node_names=names,
            modes=[mode for mode in MODES if not (silent and mode == "messages")],
            how=[way],
            model=lambda: model_of(program),
            config=program.settings.get("config"),
            context=program.settings.get("context"),
        )


def calls_of(path: Path) -> int:
    """How many calls of `create_react_agent` a program has, under whatever name it imports it."""
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    return sum(_calls(ast.parse(source(file))) for file in files)


def _calls(tree: ast.Module) -> int:
    names = {"create_react_agent", "create_tool_calling_executor", "create_function_calling_executor"}
    aliases = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in names and alias.asname
    }
    functions = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return sum((getattr(f, "id", None) or getattr(f, "attr", "")) in names | aliases for f in functions)
