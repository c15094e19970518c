"""What has to be known about other files before one may be rewritten.

Imports are found by pattern, in the files that can matter; a file is parsed only when one speaks of the
legacy names in a way that a pattern can't judge.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import libcst as cst

from agentkit._moves import BY_NAME, LEGACY_ROOT, SHIM_ROOT
from agentkit.migrate.names import AGENTS
from agentkit.migrate.source import Source, read

_NAMES = tuple(name.encode() for name in BY_NAME)
_LITERALS = (b'"agent"', b"'agent'")
_SIGNS = (b"stream", b"as_node", b"langgraph_node", b"get_state")
_METHODS = {"stream", "astream", "astream_events", "get_state", "aget_state", "update_state", "aupdate_state"}
_FROM = re.compile(rb"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)", re.MULTILINE)
_IMPORT = re.compile(rb"^[ \t]*import[ \t]+([^\n#;]+)", re.MULTILINE)
_PATCHED = re.compile(rb"""['"][\w.]*(?:%s)['"]""" % b"|".join(name.encode() for name in AGENTS))
_LIMIT = re.compile(rb"recursion_limit|GraphRecursionError")
# What a file with tools may say that holds for the agents which it is imported for.
_LOOP = {
    re.compile(rb"""return_direct(['"]\s*:|\s*(:\s*bool\s*)?=)\s*(?!False)\w"""): "has a tool with return_direct",
    re.compile(rb"remaining_steps|is_last_step"): "reads remaining_steps",
}
_COMMENT = re.compile(r"#[^\n]*")


@dataclass
class Import:
    """One thing that a file imports: a module, or a name of one."""

    module: str
    level: int = 0
    name: str = ""
    alias: str = ""


@dataclass
class Project:
    """The files of a run, and what they say about each other."""

    _paths: dict[tuple[str, ...], Path] = field(default_factory=dict)
    _by_name: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    _speakers: list[Path] = field(default_factory=list)
    _readers: list[Path] = field(default_factory=list)
    _patchers: list[Path] = field(default_factory=list)
    _exported: dict[Path, set[str]] = field(default_factory=dict)
    _blocked: dict[Path, str] = field(default_factory=dict)
    _sources: dict[Path, Source | None] = field(default_factory=dict)
    _named: dict[Path, set[str]] = field(default_factory=dict)
    _limits: list[Path] = field(default_factory=list)
    _loops: dict[Path, str] = field(default_factory=dict)
    _loop: dict[Path, str] = field(default_factory=dict)
    _limit: dict[Path, str] = field(default_factory=dict)
    _imports: dict[Path, list[Import]] = field(default_factory=dict)
    _mentions: dict[str, list[Path]] = field(default_factory=dict)

    def add(self, path: Path, data: bytes) -> None:
        """Note a file, and whether it may speak of another file's agents."""
        if path.suffix != ".py":
            return
        key = _module(path)
        self._paths[key] = path
        self._by_name.setdefault(key[0], []).append(key)
        if b"create_" in data or b"Agent" in data or b"Tool" in data:
            if any(name in data for name in _NAMES):
                self._speakers.append(path)
            if _PATCHED.search(data):
                self._patchers.append(path)
        if any(literal in data for literal in _LITERALS) and any(sign in data for sign in _SIGNS):
            self._readers.append(path)
        if _LIMIT.search(data):
            self._limits.append(path)
        for pattern, words in _LOOP.items():
            if pattern.search(data):
                self._loops[path] = words

    def read(self, hits: Sequence[Path]) -> None:
        """Find out what the noted files import, patch and look up of those with agents."""
        agents = set(hits)
        for path in self._speakers:
            for found in self.imports(path):
                target = self.find(found.module, path, found.level) if found.name in BY_NAME else None
                if target is not None:
                    self._exported.setdefault(target, set()).add(found.name)
        for path in self._patchers:
            self._read_patches(path)
        for path in self._readers:
            reached = self._connected(path, agents)
            tree = parsed(path.read_bytes()) if reached else None
            if tree is not None and _reads_nodes(list(ast.walk(tree))):
                for target in reached:
                    self._blocked.setdefault(target, f"{path.name} reads a legacy node name from an agent")
        for path in self._limits:
            for target in self._reachable(path) & agents - {path}:
                self._limit[target] = f"at the limit that {path.name} sets, create_agent raises GraphRecursionError"
        for path in hits:
            if self._loops:
                for other in sorted(self._reachable(path) & self._loops.keys() - {path}):
                    self._loop.setdefault(path, f"{other.name} {self._loops[other]}")
        self._read_uses(agents)

    def exported(self, path: Path) -> frozenset[str]:
        """The legacy names that other files import from a file."""
        return frozenset(self._exported.get(path, ()))

    def blocked(self, path: Path) -> str:
        """Why a file's agents have to stay; "" where nothing speaks against their rewrite."""
        return self._blocked.get(path, "")

    def file(self, at: Path, module: str) -> Source | None:
        """The file of the run that a module name means in another file, parsed; None where there is none."""
        name = module.lstrip(".")
        path = self.find(name, at, len(module) - len(name))
        if path is None or path == at:
            return None
        if path not in self._sources:
            self._sources[path] = None  # a file that is being read imports nothing from itself
            try:
                found = read(path.read_bytes().decode())
            except (OSError, ValueError, cst.ParserSyntaxError):
                return None
            found.files[found.module] = partial(self.file, path)
            self._sources[path] = found
        return self._sources[path]

    def named(self, path: Path) -> frozenset[str]:
        """The names of a file that others use."""
        return frozenset(self._named.get(path, ()))

    def loop(self, path: Path) -> str:
        """Why a file's agents depend on how the legacy loop ends; "" where no other file says so."""
        return self._loop.get(path, "")

    def limit(self, path: Path) -> str:
        """What is to be noted of a recursion limit that another file sets; "" where none does."""
        return self._limit.get(path, "")

    def find(self, module: str, at: Path, level: int = 0) -> Path | None:
        """The file of the run that a module name means, if there is one."""
        parts = tuple(part for part in module.split(".") if part)
        if level:
            key = (*parts[::-1], *at.absolute().parents[level - 1].parts[::-1])
            return self._paths.get(key)
        wanted = parts[::-1]
        keys = [key for key in self._by_name.get(wanted[0], ()) if key[: len(wanted)] == wanted] if wanted else []
        around = at.absolute().parents
        nearest = min(keys, key=lambda key: (_steps(self._paths[key], around), len(key)), default=None)
        return self._paths[nearest] if nearest is not None else None

    def imports(self, path: Path) -> list[Import]:
        """What a file imports, the legacy module aside."""
        if path not in self._imports:
            try:
                self._imports[path] = _imports(path.read_bytes())
            except OSError:
                self._imports[path] = []
        return self._imports[path]

    def _connected(self, path: Path, agents: set[Path]) -> list[Path]:
        """The files with agents that may hand their stream to a file: it imports them, or is used along with them."""
        reached = self._reachable(path) & agents
        for other in self._users(path) if self._readers else ():
            reached |= self._reachable(other) & agents
        return sorted(reached - {path})

    def _users(self, path: Path) -> list[Path]:
        """The files that import a file, at one or more removes."""
        name = _module(path)[0]
        if name not in self._mentions:
            word = re.compile(rb"\b%s\b" % re.escape(name).encode())
            self._mentions[name] = [p for p in self._paths.values() if word.search(p.read_bytes())]
        return [other for other in self._mentions[name] if other != path and path in self._reachable(other)]

    def _reachable(self, start: Path) -> set[Path]:
        """The files that a file imports, and those that they import."""
        seen: set[Path] = set()
        waiting = [start]
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            for found in self.imports(path):
                inner = f"{found.module}.{found.name}" if found.module else found.name
                for module in (found.module, inner if found.name else ""):
                    target = self.find(module, path, found.level) if module or found.level else None
                    if target is not None:
                        waiting.append(target)
        return seen

    def _read_uses(self, agents: set[Path]) -> None:
        """Find out which names of the files with agents others use."""
        names = {re.escape(_module(path)[0]).encode() for path in agents}
        speaks = re.compile(rb"import[^\n]*\b(?:%s)\b|\b(?:%s)[ \t]+import\b" % ((b"|".join(names),) * 2))
        for path in self._paths.values() if agents else ():
            data = path.read_bytes()
            for found in self.imports(path) if speaks.search(data) else ():
                target = self.find(found.module, path, found.level) if found.module or found.level else None
                if target in agents and target != path and found.name:
                    self._named.setdefault(target, set()).add(found.name)
                module = f"{found.module}.{found.name}".strip(".") if found.name else found.module
                inner = self.find(module, path, found.level)
                if inner in agents and inner != path:
                    local = re.escape(found.alias or found.name or found.module).encode()
                    uses = re.findall(rb"\b%s\s*\.\s*(\w+)" % local, data)
                    self._named.setdefault(inner, set()).update(use.decode() for use in uses)

    def _read_patches(self, path: Path) -> None:
        """Tests that replace `create_react_agent` in a module need it to be there, and called."""
        tree = parsed(path.read_bytes())
        modules = {found.alias or found.name or found.module: found for found in self.imports(path)}
        for node in ast.walk(tree) if tree else ():
            if not isinstance(node, ast.Call):
                continue
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            for text in texts:
                module, _, name = text.rpartition(".")
                if name not in AGENTS or module.startswith((LEGACY_ROOT, SHIM_ROOT)):
                    continue
                level = 0
                if not module and isinstance(node.args[0], ast.Name) and node.args[0].id in modules:
                    found = modules[node.args[0].id]
                    module, level = f"{found.module}.{found.name}".strip("."), found.level
                target = self.find(module, path, level) if module else None
                if target is not None:
                    self._blocked[target] = f"{path.name} replaces {name} in this module"


def parsed(data: bytes) -> ast.Module | None:
    """The syntax tree of a file; None where it has none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imports(data: bytes) -> list[Import]:
    found = []
    for match in _FROM.finditer(data):
        dotted = match[1].decode(errors="replace")
        module = dotted.lstrip(".")
        if module.startswith((LEGACY_ROOT, SHIM_ROOT)):
            continue
        names = _COMMENT.sub("", match[2].decode(errors="replace")).strip("() \t\r\n")
        for part in names.split(","):
            words = part.split()
            if words:
                alias = words[2] if len(words) == 3 else ""
                found.append(Import(module, len(dotted) - len(module), words[0], alias))
    for match in _IMPORT.finditer(data):
        for part in match[1].decode(errors="replace").split(","):
            words = part.split()
            if words and not words[0].startswith((LEGACY_ROOT, SHIM_ROOT)):
                found.append(Import(words[0], alias=words[2] if len(words) == 3 else ""))
    return found


def _steps(path: Path, around: Sequence[Path]) -> int:
    """How many directories a file has to be left for another."""
    inner = path.absolute().parents
    return next((step for step, directory in enumerate(around) if directory in inner), len(around))


def _module(path: Path) -> tuple[str, ...]:
    parts = path.absolute().with_suffix("").parts
    return tuple(reversed(parts[:-1] if parts[-1] == "__init__" else parts))


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
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "add_node" and any(map(_is_agent, node.args)):
                return False  # a graph of its own, with a node of that name
            literal = literal or (node.func.attr == "get" and any(map(_is_agent, node.args)))
    return literal and sign


def _is_agent(node: ast.AST) -> bool:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(map(_is_agent, node.elts))
    return isinstance(node, ast.Constant) and node.value == "agent"
