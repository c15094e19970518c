"""Find the files, read them, rewrite them, write them back in one piece."""

from __future__ import annotations

import ast
import multiprocessing
import os
import signal
import stat
import tempfile
import tokenize
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from io import BytesIO
from pathlib import Path

import libcst as cst
import pathspec

from agentkit.migrate.engine import Options, Result, migrate_source
from agentkit.migrate.notebooks import migrate_notebook
from agentkit.migrate.project import Project

SUFFIXES = (".py", ".pyi", ".ipynb")
DOCS = (".md", ".markdown")
EXCLUDED = {
    ".git", ".hg", ".svn", ".venv", "venv", "env", ".env", "node_modules", "__pycache__", "build", "dist",
    ".tox", ".nox", ".eggs", ".mypy_cache", ".ruff_cache", ".pytest_cache", "site-packages",
    ".ipynb_checkpoints",
}  # fmt: skip
_BOM = b"\xef\xbb\xbf"


class FileError(Exception):
    """A file that could not be done, with the reason in words."""


@dataclass
class File:
    """One file of a run.

    Attributes:
        path: Where it is.
        old: Its text before.
        result: What became of it; None where it failed.
        error: Why it failed; "" where it did not.
        encoding: How it is encoded.
    """

    path: Path
    old: str = ""
    result: Result | None = None
    error: str = ""
    encoding: str = "utf-8"

    @property
    def changed(self) -> bool:
        """Whether the new text differs."""
        return self.result is not None and self.result.source != self.old


@dataclass
class Run:
    """A run over many files.

    Attributes:
        seen: How many files were looked at.
        files: Those with something to say: changed, left in part, or failed.
    """

    seen: int = 0
    files: list[File] = field(default_factory=list)


def scan(paths: Sequence[Path], options: Options, exclude: Sequence[str] = ()) -> tuple[Run, list[Path], Project]:
    """Look at all files and keep those to parse.

    Args:
        paths: Files and directories.
        options: What will be rewritten.
        exclude: More patterns to leave out, as in a .gitignore.

    Returns:
        The run so far (files that could not be read), the files with hits, and what is known across files.
    """
    run, hits, project = Run(), [], Project()
    for path in walk(paths, exclude, docs=options.docs):
        run.seen += 1
        if path.is_fifo() or path.is_socket():
            continue  # to read one would wait for a writer
        try:
            data = path.read_bytes()
        except OSError as error:
            run.files.append(File(path, error=_words(error)))
            continue
        if is_hit(data):
            hits.append(path)
        project.add(path, data)
    if options.to == "create_agent" and hits:
        project.read(hits)
    return run, hits, project


def is_hit(data: bytes) -> bool:
    """Whether a file may have legacy code: a byte search, so that nothing else is parsed."""
    return b"prebuilt" in data and (b"langgraph" in data or b"agentkit" in data)


def migrate_file(path: Path, options: Options, project: Project | None = None) -> File:
    """Rewrite one file in memory.

    Args:
        path: The file.
        options: What to rewrite.
        project: What is known across files. Defaults to nothing.

    Returns:
        The file with its result or its error; never raises for what is in the file.
    """
    if project is not None:
        options = replace(
            options,
            exported=project.exported(path),
            patched=project.blocked(path),
            files=partial(project.file, path),
            named=project.named(path),
            loop=project.loop(path),
            limit=project.limit(path),
        )
    options = replace(options, package=path.stem == "__init__")
    try:
        data = path.read_bytes()
    except OSError as error:
        return File(path, error=_words(error))
    try:
        text, encoding = decode(path, data)
        return File(path, text, _migrate(path, text, options), encoding=encoding)
    except (FileError, OSError, SyntaxError, ValueError, cst.ParserSyntaxError) as error:
        return File(path, error=_words(error))
    except RecursionError:
        return File(path, error="nested too deeply")


def migrate_files(paths: Sequence[Path], options: Options, project: Project) -> Iterator[File]:
    """Rewrite files in memory, in their order: in several processes where there are many.

    Args:
        paths: The files.
        options: What to rewrite.
        project: What is known across files.
    """
    workers = min(os.cpu_count() or 1, len(paths) // 20)
    if workers < 2:
        yield from (migrate_file(path, options, project) for path in paths)
        return
    context = multiprocessing.get_context("spawn")  # a fork of a process with threads may wait forever
    with ProcessPoolExecutor(workers, context, _start, (options, project)) as pool:
        try:
            yield from pool.map(_work, paths, chunksize=8)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_shared: list[tuple[Options, Project]] = []  # of a worker process


def _start(options: Options, project: Project) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and ends the workers
    _shared.append((options, project))


def _work(path: Path) -> File:
    return migrate_file(path, *_shared[0])


def _migrate(path: Path, text: str, options: Options) -> Result:
    if path.suffix == ".ipynb":
        return migrate_notebook(text, options)
    if path.suffix in DOCS:
        from agentkit.migrate.rules.ak019_docs import migrate_fences

        return migrate_fences(text, options)
    result = migrate_source(text, options)
    if options.docs:
        from agentkit.migrate.rules.ak019_docs import migrate_docstrings

        result = migrate_docstrings(result, options)
    if result.source != text and _compiles(text) and not _compiles(result.source):
        raise FileError("the rewrite does not compile; please report this file")
    return result


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<file>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def decode(path: Path, data: bytes) -> tuple[str, str]:
    """Decode a file as Python does: by BOM, cookie, or as UTF-8.

    Raises:
        FileError: The bytes are not of that encoding.
    """
    encoding = "utf-8"
    try:
        if path.suffix in {".py", ".pyi"} or str(path) == "-":
            encoding = tokenize.detect_encoding(BytesIO(data).readline)[0]
        elif data.startswith(_BOM):
            encoding = "utf-8-sig"
        return data.decode(encoding), encoding
    except UnicodeDecodeError as error:
        raise FileError(f"not {encoding}: byte {error.start}") from error
    except (SyntaxError, LookupError) as error:
        raise FileError(f"the encoding can't be told: {error}") from error


def write(file: File) -> None:
    """Put a file's new text in the place of the old one, in one step.

    The mode bits stay, and a symbolic link still points to the same file.

    Raises:
        OSError: The file is read-only or its directory can't be written.
    """
    assert file.result is not None
    target = Path(os.path.realpath(file.path))
    mode = stat.S_IMODE(target.stat().st_mode)
    if not mode & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError("the file is read-only")
    data = file.result.source.encode(file.encoding)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def walk(paths: Iterable[Path], exclude: Sequence[str] = (), *, docs: bool = False) -> Iterator[Path]:
    """List the files to look at.

    A file that is named is always listed. Directories are walked in order, without what .gitignore files
    and the usual excludes leave out; links to directories are not followed.
    """
    suffixes = (*SUFFIXES, *DOCS) if docs else SUFFIXES
    own = pathspec.GitIgnoreSpec.from_lines(exclude)
    seen: set[str] = set()
    for path in paths:
        found = _directory(path, suffixes, _above(path), own, path) if path.is_dir() else iter([path])
        for file in found:
            key = os.path.abspath(file)
            if key not in seen:
                seen.add(key)
                yield file


Ignores = list[tuple[Path, pathspec.GitIgnoreSpec]]


def _directory(
    directory: Path, suffixes: tuple[str, ...], ignores: Ignores, own: pathspec.GitIgnoreSpec, root: Path
) -> Iterator[Path]:
    ignores = [*ignores, *_ignore_file(directory)]
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        yield directory  # reading it will fail, and so it gets named
        return
    for entry in entries:
        is_directory = entry.is_dir(follow_symlinks=False)
        if entry.name in EXCLUDED or entry.name.endswith(".egg-info"):
            continue
        if not is_directory and not entry.name.endswith(suffixes):
            continue
        path = Path(entry.path)
        if _ignored(path, is_directory, ignores) or _matches(own, path, root, is_directory):
            continue
        if is_directory:
            yield from _directory(path, suffixes, ignores, own, root)
        elif not (entry.is_symlink() and path.is_dir()):
            yield path


def _ignore_file(directory: Path) -> Ignores:
    try:
        lines = (directory / ".gitignore").read_text(errors="replace").splitlines()
    except OSError:
        return []
    return [(directory, pathspec.GitIgnoreSpec.from_lines(lines))]


def _above(path: Path) -> Ignores:
    """The .gitignore files between a directory and the root of its repository."""
    found: Ignores = []
    directory = path.resolve()
    if (directory / ".git").exists():
        return []
    for parent in directory.parents:
        found = [*_ignore_file(parent), *found]
        if (parent / ".git").exists():
            return found
    return []


def _ignored(path: Path, is_directory: bool, ignores: Ignores) -> bool:
    verdict = False
    for base, spec in ignores:
        result = spec.check_file(_relative(path, base) + ("/" if is_directory else ""))
        if result.include is not None:
            verdict = result.include
    return verdict


def _matches(spec: pathspec.GitIgnoreSpec, path: Path, root: Path, is_directory: bool) -> bool:
    return spec.match_file(_relative(path, root) + ("/" if is_directory else ""))


def _relative(path: Path, base: Path) -> str:
    if base.is_absolute() != path.is_absolute():
        path = path.absolute()
        base = base.absolute()
    return os.path.relpath(path, base).replace(os.sep, "/")


def _words(error: BaseException) -> str:
    if isinstance(error, cst.ParserSyntaxError):
        return f"line {error.raw_line}: can't be parsed as Python"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
