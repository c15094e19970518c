"""What has to be known about other files before one may be rewritten."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agentkit._moves import BY_NAME, LEGACY_ROOT, SHIM_ROOT
from agentkit.migrate.names import AGENTS
from agentkit.migrate.texts import parsed, texts_of

_NAMES = tuple(name.encode() for name in ("create_react_agent", "create_tool_calling_executor", "AgentState"))
_LITERALS = (b'"agent"', b"'agent'")
_SIGNS = (b"stream", b"as_node", b"langgraph_node", b"get_state")
_METHODS = {"stream", "astream", "astream_events", "get_state", "aget_state", "update_state", "aupdate_state"}


@dataclass
class Project:
    """The files of a run, and what they say about each other.

    Attributes:
        paths: Every file, by the parts of its module's name, last part first.
    """

    paths: dict[tuple[str, ...], Path] = field(default_factory=dict)
    _related: dict[Path, bytes] = field(default_factory=dict)
    _exported: dict[Path, set[str]] = field(default_factory=dict)
    _blocked: dict[Path, str] = field(default_factory=dict)
    _texts: dict[Path, set[str]] = field(default_factory=dict)

    def add(self, path: Path, data: bytes) -> None:
        """Note a file; its text is kept only where it may speak of another file's agents."""
        if path.suffix != ".py":
            return
        self.paths[_module(path)] = path
        if any(name in data for name in _NAMES) or (
            any(literal in data for literal in _LITERALS) and any(sign in data for sign in _SIGNS)
        ):
            self._related[path] = data

    def read(self, hits: Sequence[Path]) -> None:
        """Read what the related files import, patch and look up."""
        agents = set(hits)
        graph: dict[Path, set[Path]] = {}
        readers: list[Path] = []
        for path, data in self._related.items():
            tree = parsed(data)
            if tree is None:
                continue
            nodes = list(ast.walk(tree))
            graph[path] = set(self._imports(path, nodes))
            self._patches(path, nodes)
            if _reads_nodes(nodes):
                readers.append(path)
        for reader in readers:
            for target in _reachable(reader, graph):
                if target in agents and target != reader:
                    self._blocked.setdefault(target, f"{reader.name} reads a legacy node name from an agent")
        self._read_texts({path: data for path, data in self._related.items() if path in agents})
        self._related.clear()

    def texts(self, path: Path) -> frozenset[str]:
        """The names that a file imports and that are text where they come from; `name()` for functions."""
        return frozenset(self._texts.get(path, ()))

    def _read_texts(self, files: dict[Path, bytes]) -> None:
        known: dict[Path, set[str]] = {}
        for path, data in files.items():
            tree = parsed(data)
            for node in ast.walk(tree) if tree else ():
                target = self.find(node.module or "", path, node.level) if isinstance(node, ast.ImportFrom) else None
                if target is None or not isinstance(node, ast.ImportFrom):
                    continue
                if target not in known:
                    known[target] = texts_of(target)
                for alias in node.names:
                    for suffix in ("", "()"):
                        if f"{alias.name}{suffix}" in known[target]:
                            self._texts.setdefault(path, set()).add(f"{alias.asname or alias.name}{suffix}")

    def exported(self, path: Path) -> frozenset[str]:
        """The legacy names that other files import from a file."""
        return frozenset(self._exported.get(path, ()))

    def blocked(self, path: Path) -> str:
        """Why a file's agents have to stay; "" where nothing speaks against their rewrite."""
        return self._blocked.get(path, "")

    def find(self, module: str, at: Path, level: int = 0) -> Path | None:
        """The file of the run that a module name means, if there is one."""
        parts = tuple(part for part in module.split(".") if part)
        if level:
            base = at.absolute().parents[level - 1]
            for candidate in (base.joinpath(*parts).with_suffix(".py"), base.joinpath(*parts, "__init__.py")):
                found = self.paths.get(_module(candidate))
                if found is not None and found.absolute() == candidate:
                    return found
            return None
        wanted = parts[::-1]
        matches = [path for key, path in self.paths.items() if wanted and key[: len(wanted)] == wanted]
        return min(matches, key=lambda path: len(path.parts)) if matches else None

    def _imports(self, path: Path, nodes: list[ast.AST]) -> Iterator[Path]:
        for node in nodes:
            if isinstance(node, ast.ImportFrom):
                module = node.module or ""
                if module.startswith((LEGACY_ROOT, SHIM_ROOT)):
                    continue
                target = self.find(module, path, node.level) if module or node.level else None
                if target is not None:
                    yield target
                    names = {alias.name for alias in node.names if alias.name in BY_NAME}
                    self._exported.setdefault(target, set()).update(names)
                for alias in node.names:
                    inner = self.find(f"{module}.{alias.name}" if module else alias.name, path, node.level)
                    if inner is not None:
                        yield inner
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    target = self.find(alias.name, path)
                    if target is not None:
                        yield target

    def _patches(self, path: Path, nodes: list[ast.AST]) -> None:
        """Tests that replace `create_react_agent` in a module need it to be there, and called."""
        modules = _local_modules(nodes)
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            for text in texts:
                module, _, name = text.rpartition(".")
                if name not in AGENTS or module.startswith((LEGACY_ROOT, SHIM_ROOT)):
                    continue
                if not module and node.args and isinstance(node.args[0], ast.Name):
                    module = modules.get(node.args[0].id, "")
                target = self.find(module, path) if module else None
                if target is not None:
                    self._blocked[target] = f"{path.name} replaces {name} in this module"


def _module(path: Path) -> tuple[str, ...]:
    parts = path.absolute().with_suffix("").parts
    return tuple(reversed(parts[:-1] if parts[-1] == "__init__" else parts))


def _local_modules(nodes: list[ast.AST]) -> dict[str, str]:
    """What the names of a file that may hold modules were imported from."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            found.update({alias.asname or alias.name: alias.name for alias in node.names})
        elif isinstance(node, ast.ImportFrom):
            found.update({a.asname or a.name: f"{node.module or ''}.{a.name}".strip(".") for a in node.names})
    return found


def _reads_nodes(nodes: list[ast.AST]) -> bool:
    """Whether a file reads the node name "agent" and deals with what a graph streams or stores."""
    literal = sign = False
    for node in nodes:
        if isinstance(node, ast.Attribute):
            sign = sign or node.attr in _METHODS
        elif isinstance(node, ast.Constant):
            sign = sign or node.value == "langgraph_node"
        elif isinstance(node, ast.keyword) and node.arg == "as_node":
            sign = True
            literal = literal or _is_agent(node.value)
        elif isinstance(node, ast.Subscript):
            literal = literal or _is_agent(node.slice)
        elif isinstance(node, ast.Compare):
            literal = literal or any(_is_agent(side) for side in (node.left, *node.comparators))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            literal = literal or any(map(_is_agent, node.args))
    return literal and sign


def _is_agent(node: ast.AST) -> bool:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(map(_is_agent, node.elts))
    return isinstance(node, ast.Constant) and node.value == "agent"


def _reachable(start: Path, graph: dict[Path, set[Path]]) -> set[Path]:
    seen: set[Path] = set()
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += graph.get(path, ())
    return seen
