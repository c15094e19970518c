"""`agentkit migrate`: shows what it would change, and changes it when asked to."""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from agentkit.migrate import deps
from agentkit.migrate.engine import Options
from agentkit.migrate.explain import RULES
from agentkit.migrate.files import File, FileError, Run, decode, migrate_files, scan, write
from agentkit.migrate.outcome import as_json, diff, summary
from agentkit.migrate.terminal import track, working

_ALWAYS = {"AK001", "AK002"}
_KEYS: dict[str, type] = {
    "to": str, "only": list, "skip": list, "apply": list, "exclude": list, "docs": bool, "strict": bool,
}  # fmt: skip


class UsageError(Exception):
    """What was asked for makes no sense; the text says why."""


def main(argv: Sequence[str]) -> int:
    """Run the command.

    Args:
        argv: The arguments after `agentkit migrate`.

    Returns:
        0 nothing to do, 1 changes needed or made, 2 wrong usage, 3 a file failed, 4 with `--strict` if
        marks remain, 130 interrupted.
    """
    parser = _parser()
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        if arguments.list_rules:
            print("\n".join(f"{rule.code}  {rule.title}" for rule in RULES.values()))
            return 0
        if arguments.explain:
            print(explain(arguments.explain))
            return 0
        if not arguments.paths:
            raise UsageError("name files or directories, or - for standard input")
        _configure(arguments)
        options = _options(arguments)
        if arguments.paths == ["-"]:
            return _standard_input(options, arguments)
        return _run(options, arguments)
    except UsageError as error:
        print(f"agentkit migrate: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("agentkit migrate: interrupted; every file is either as it was or rewritten as a whole", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="agentkit migrate",
        description="Rewrite code written for langgraph.prebuilt. Shows a diff and changes nothing by default.",
        epilog="exit: 0 nothing to do, 1 changes needed or made, 2 usage, 3 a file failed, 4 marks remain (--strict), "
        "130 interrupted",
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files and directories; - reads Python from standard input")
    add("--to", choices=("create_agent", "shim"), help="shim: change the imports alone (default: create_agent)")
    add("--write", action="store_true", help="change the files")
    add("--check", action="store_true", help="say what would change, without the diff")
    add("--only", action="append", metavar="CODES", help="use these rules alone, for example AK003,AK005")
    add("--skip", action="append", metavar="CODES", help="leave what these rules would rewrite on the shim")
    add("--apply", action="append", metavar="CODES", help="apply rewrites that change behaviour (see --explain)")
    add("--exclude", action="append", metavar="PATTERN", help="leave out more paths, as a .gitignore would")
    add(
        "--deps", action="store_true", help="with --write: put what the new imports need into the lists of dependencies"
    )
    add("--docs", action="store_true", default=None, help="rewrite docstrings and Markdown fences too")
    add("--strict", action="store_true", default=None, help="exit 4 if something stays on the shim")
    add("--json", action="store_true", help="print the result as JSON")
    add("--report", metavar="FILE", help="write the result as one HTML page")
    add("--list-rules", action="store_true", help="list the rules")
    add("--explain", metavar="CODE", help="explain a rule, with code before and after")
    return parser


def explain(code: str) -> str:
    """A rule in words, with its example.

    Raises:
        UsageError: There is no such rule.
    """
    _known([code.upper()])
    rule = RULES[code.upper()]
    return f"{rule.code}: {rule.title}\n\n{rule.text}"


# --- settings ---


def _configure(arguments: argparse.Namespace) -> None:
    """Fill in what the nearest pyproject.toml says, where the command line says nothing."""
    first = Path("." if arguments.paths[0] == "-" else arguments.paths[0]).absolute()
    for directory in (first, *first.parents):
        file = directory / "pyproject.toml"
        if file.is_file():
            settings = _read_toml(file)
            break
    else:
        return
    unknown = sorted(set(settings) - set(_KEYS))
    if unknown:
        raise UsageError(
            f"{file}: [tool.agentkit.migrate] has no {', '.join(unknown)}; it has {', '.join(sorted(_KEYS))}"
        )
    for key, value in settings.items():
        kind = _KEYS[key]
        text = kind is list and isinstance(value, str)
        if not isinstance(value, kind) and not text:
            names = {str: "a text", list: "a list of texts", bool: "true or false"}
            raise UsageError(f"{file}: {key} = {value!r} is not {names[kind]}")
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise UsageError(f"{file}: {key} = {value!r} is not a list of texts")
        if getattr(arguments, key) is None:
            setattr(arguments, key, [value] if text else value)
    if arguments.to not in {None, "create_agent", "shim"}:
        raise UsageError(f'{file}: to = "{arguments.to}" is neither "create_agent" nor "shim"')


def _read_toml(file: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise UsageError(f"{file}: {error}") from error
    settings: dict[str, Any] = content.get("tool", {}).get("agentkit", {}).get("migrate", {})
    return settings


def _options(arguments: argparse.Namespace) -> Options:
    only, skip, apply = (_codes(getattr(arguments, key)) for key in ("only", "skip", "apply"))
    for code in apply:
        if not RULES[code].offered:
            offered = ", ".join(rule.code for rule in RULES.values() if rule.offered)
            raise UsageError(f"{code} has nothing to apply; {offered} have")
    if only:
        skip |= set(RULES) - only - _ALWAYS
    docs = bool(arguments.docs) and "AK019" not in skip
    return Options(to=arguments.to or "create_agent", skip=frozenset(skip), apply=frozenset(apply), docs=docs)


def _codes(texts: Sequence[str] | None) -> set[str]:
    codes = {part.strip().upper() for text in texts or () for part in text.split(",") if part.strip()}
    _known(codes)
    return codes


def _known(codes: Iterable[str]) -> None:
    unknown = sorted(set(codes) - set(RULES))
    if unknown:
        raise UsageError(f"there is no rule {', '.join(unknown)}; the rules are {', '.join(RULES)}")


# --- the run ---


def _standard_input(options: Options, arguments: argparse.Namespace) -> int:
    from agentkit.migrate.engine import migrate_source

    file = File(Path("-"))
    try:
        file.old, file.encoding = decode(file.path, sys.stdin.buffer.read())
        file.result = migrate_source(file.old, options)
    except (FileError, ValueError, Exception) as error:  # noqa: BLE001 - any failure is reported as one
        file.error = str(error)
    run = Run(1, [file])
    if arguments.json:
        print(json.dumps(as_json(run, written=False), indent=2))
    elif file.result is not None and not arguments.check:
        sys.stdout.buffer.write(file.result.source.encode(file.encoding))
        sys.stdout.flush()
    if file.error:
        print(f"agentkit migrate: standard input: {file.error}", file=sys.stderr)
    return exit_code(run, strict=bool(arguments.strict))


def _run(options: Options, arguments: argparse.Namespace) -> int:
    paths = [Path(path) for path in arguments.paths]
    missing = [str(path) for path in paths if not path.exists() and not path.is_symlink()]
    if missing:
        raise UsageError(f"there is no {', '.join(missing)}")
    gc.set_threshold(100_000, 20, 20)  # trees are many small objects, and few of them are cycles
    with working("reading files", show=not arguments.json):
        run, hits, project = scan(paths, options, arguments.exclude or ())
    done = migrate_files(hits, options, project)
    for file in track(done, len(hits), show=not arguments.json):
        if file.changed and arguments.write:
            try:
                write(file)
            except OSError as error:
                file.error = error.strerror or str(error)
        if file.changed or file.error or (file.result and file.result.left):
            run.files.append(file)
    found = deps.needs(run, paths)
    if arguments.deps and arguments.write:
        deps.write(found)
        found = []
    _tell(run, arguments)
    if not arguments.json:
        print("\n".join(map(str, found)), end="\n" if found else "")
    return exit_code(run, strict=bool(arguments.strict))


def exit_code(run: Run, *, strict: bool) -> int:
    """The exit code of a run; see `main`."""
    if any(file.error for file in run.files):
        return 3
    if strict and any(file.result and file.result.left for file in run.files):
        return 4
    return int(any(file.changed for file in run.files))


def _tell(run: Run, arguments: argparse.Namespace) -> None:
    if arguments.report:
        from agentkit.migrate.report import page

        Path(arguments.report).write_text(page(run, written=arguments.write), encoding="utf-8")
    if arguments.json:
        print(json.dumps(as_json(run, written=arguments.write), indent=2))
        return
    from agentkit.migrate import terminal

    if not (arguments.check or arguments.write):
        for file in run.files:
            if file.changed:
                terminal.show_diff(diff(file))
    terminal.show_summary(run, summary(run), written=arguments.write)
