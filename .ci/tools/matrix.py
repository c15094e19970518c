"""Run agentkit's suite, and upstream's own, on each row of `matrix.toml`, and write one table."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import tomllib
from envs import MATRIX, ROOT, build_wheel, clean_env, install_wheel, make_env, run, versions

PACKAGES = (
    "langchain",
    "langchain-core",
    "langgraph",
    "langgraph-prebuilt",
    "langgraph-checkpoint",
    "langgraph-checkpoint-sqlite",
    "deepagents",
)
# What the suite needs beside the installed package, copied to a folder outside the checkout.
CARRIED = (
    *("tests", "notebooks", "benchmarks", "docs", ".ci", ".github", ".pre-commit-hooks.yaml"),
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"),
    *("LICENSE", "Makefile", "pyproject.toml", "matrix.toml", "mkdocs.yml"),
)
TABLE = ROOT / "docs" / "versions.md"
# The tests that `make test` leaves out too, and as many examples as in CI.
EVERYTHING = ("-m", "")


@dataclass
class Counts:
    """The outcome of one suite on one row."""

    passed: int = 0
    failed: int = 0
    expected_failures: int = 0
    skipped: int = 0
    seconds: int = 0
    broken: str = ""
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        if self.broken:
            return f"**{self.broken}**"
        parts = [f"{self.passed} passed"]
        parts += [f"**{self.failed} failed**"] if self.failed else []
        parts += [f"{self.expected_failures} expected failures"] if self.expected_failures else []
        parts += [f"{self.skipped} skipped"] if self.skipped else []
        return ", ".join(parts)

    @property
    def good(self) -> bool:
        return not self.broken and not self.failed and self.passed > 0


def main() -> int:
    """Run the rows that were asked for; the exit code is 1 where one of them failed."""
    options = _parser().parse_args()
    data = tomllib.loads((ROOT / "matrix.toml").read_text())
    rows = [row for row in data["row"] if _asked(row, options)]
    if not rows:
        sys.exit(f"no such row; there are {', '.join(row['name'] for row in data['row'])}")
    wheel = build_wheel()
    paths = data["quick"]["paths"] if options.quick else ["tests"]
    good = True
    for row in rows:
        result = _run_row(row, wheel, paths, options)
        (MATRIX / "results").mkdir(parents=True, exist_ok=True)
        name = f"{row['name']}{'.quick' if options.quick else ''}.json"
        (MATRIX / "results" / name).write_text(json.dumps(result, indent=1))
        outcomes = {key: Counts(**counts) for key, counts in result["suites"].items()}
        for suite, counts in outcomes.items():
            print(f"{row['name']:>8}  {suite:<20} {counts}  ({counts.seconds} s)", flush=True)
            for failure in counts.failures:
                print(f"          {failure}")
        for note in result["notes"]:
            print(f"{row['name']:>8}  {note}", flush=True)
        good = good and all(counts.good for counts in outcomes.values())
    if not options.quick or options.every_row:
        _write_table(data["row"])
    return 0 if good else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=".ci/matrix", description=(__doc__ or "").strip())
    parser.add_argument("--quick", action="store_true", help="the rows marked quick, and the paths of [quick]")
    parser.add_argument("--every-row", action="store_true", help="with --quick: its paths, but on every row")
    parser.add_argument("--row", action="append", default=[], help="only this row (may be repeated)")
    parser.add_argument("--no-upstream", action="store_true", help="leave upstream's own suites out")
    parser.add_argument("--no-suite", action="store_true", help="leave agentkit's own suite out")
    parser.add_argument("--workers", default="2", help="how many processes pytest starts (default: 2)")
    return parser


def _asked(row: dict[str, Any], options: argparse.Namespace) -> bool:
    if options.row:
        return row["name"] in options.row
    return options.every_row or not options.quick or bool(row.get("quick"))


def _run_row(row: dict[str, Any], wheel: Path, paths: list[str], options: argparse.Namespace) -> dict[str, Any]:
    requirements = requirements_of(row, wheel)
    try:
        newest = bool(row.get("prerelease"))
        python = make_env(MATRIX / "envs" / row["name"], row["python"], *requirements, again=newest)
        install_wheel(python, wheel)
    except SystemExit as failure:  # one row that can't be built must not keep the others from running
        said = " ".join(str(failure.code).partition("\n")[2].split())
        broken = asdict(Counts(broken=f"can't be installed: {said[:500]}"))
        return {"row": row, "installed": row, "notes": [], "suites": {"agentkit": broken}}
    installed = versions(python, PACKAGES)
    wrong = [
        f"{name}: asked {row[name]}, installed {installed[name]}" for name in PACKAGES if _differs(row, installed, name)
    ]
    result: dict[str, Any] = {"row": row, "installed": installed, "notes": [], "suites": {}}
    if wrong:
        result["suites"]["agentkit"] = asdict(Counts(broken="; ".join(wrong)))
        return result
    if row.get("prerelease"):
        early = [f"{name} {version}" for name, version in installed.items() if re.search("[a-z]", version)]
        result["notes"].append(f"pre-releases: {', '.join(early) or 'there are none'}")
    if not options.no_suite:
        result["suites"]["agentkit"] = asdict(_own_suite(python, paths, options.workers))
    if not options.no_upstream:
        for package in ("langgraph-prebuilt", "langchain"):
            counts = _upstream_suite(python, package, installed[package], options.workers)
            result["suites"][package] = asdict(counts)
    return result


def requirements_of(row: dict[str, Any], wheel: Path) -> list[str]:
    """What to install for a row, as arguments of `uv pip install`."""
    extras = "deepagents,migrate,approvals" if "deepagents" in row or row.get("prerelease") else "migrate,approvals"
    pins = [f"{name}=={row[name]}" for name in PACKAGES if name in row]
    requirements = [f"langgraph-agentkit[{extras}] @ file://{wheel}", *pins]
    requirements += ["--group", f"{ROOT}/pyproject.toml:test"]
    if not row.get("prerelease"):
        return requirements
    # Pre-releases of upstream only: one of a package below it says nothing about the next upstream. The
    # overrides lift the upper limits that agentkit and upstream set, or no 2.0 could be seen coming.
    early = [f"{name}>=0.dev0" for name in PACKAGES]
    overrides = MATRIX / "next-overrides.txt"
    overrides.write_text("\n".join(early))
    return [*requirements, *early, "--overrides", str(overrides), "--prerelease", "if-necessary-or-explicit"]


def _differs(row: dict[str, Any], installed: dict[str, str], name: str) -> bool:
    return name in row and row[name] != installed[name]


def carry_suite(folder: Path) -> None:
    """Copy what the suite needs out of the checkout, whose package it must not find."""
    for name in CARRIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, folder)


def _own_suite(python: Path, paths: list[str], workers: str) -> Counts:
    with tempfile.TemporaryDirectory(prefix="agentkit-matrix-") as folder:
        carry_suite(Path(folder))
        where = run([python, "-c", "import agentkit; print(agentkit.__file__)"], cwd=Path(folder), env=clean_env())
        if "site-packages" not in where.stdout:
            return Counts(broken=f"agentkit came from {where.stdout.strip()}, not from the wheel")
        command = [python, "-m", "pytest", "-n", workers, "-p", "no:cacheprovider", *EVERYTHING, *paths]
        return _pytest(command, Path(folder))


def _upstream_suite(python: Path, package: str, version: str, workers: str) -> Counts:
    command = [sys.executable, ROOT / ".ci/tools/upstream_tests.py", version, "--package", package]
    return _pytest([*command, "--python", python, "-n", workers], ROOT)


def _pytest(command: list[Any], folder: Path) -> Counts:
    """Run a pytest command and read the counts out of its report."""
    handle, name = tempfile.mkstemp(suffix=".xml")
    os.close(handle)
    report = Path(name)
    started = time.monotonic()
    try:
        parts = [*map(str, command), f"--junitxml={report}"]
        done = subprocess.run(parts, cwd=folder, env=clean_env(), text=True, capture_output=True, check=False)
        if not report.stat().st_size:
            return Counts(broken=f"exit code {done.returncode}: {(done.stdout + done.stderr).strip()[-300:]}")
        counts = _read(report)
    finally:
        report.unlink(missing_ok=True)
    counts.seconds = round(time.monotonic() - started)
    if done.returncode not in {0, 1}:
        counts.broken = f"exit code {done.returncode}: {done.stdout.strip()[-300:]}"
    return counts


def _read(report: Path) -> Counts:
    counts = Counts()
    for case in ElementTree.parse(report).iter("testcase"):
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            counts.failed += 1
            counts.failures.append(f"{case.get('classname', '')}::{case.get('name', '')}")
        elif skipped is not None and skipped.get("type") == "pytest.xfail":
            counts.expected_failures += 1
        elif skipped is not None:
            counts.skipped += 1
        else:
            counts.passed += 1
    return counts


def _write_table(rows: list[dict[str, Any]]) -> None:
    """Write the table, once each row has a result."""
    missing = [row["name"] for row in rows if not _latest_result(row)[0]["suites"]]
    if missing:
        print(f"{TABLE.relative_to(ROOT)} is left as it is: no result of {', '.join(missing)} here")
        return
    lines = [
        "## Tested versions",
        "",
        "Generated by `make matrix`. Each row is an environment built with exactly these versions, with agentkit's "
        "wheel installed; `upstream prebuilt` and `upstream langchain` are those releases' own tests, run with "
        "agentkit in upstream's place. *(core)*: of agentkit's suite the part that `[quick]` of `matrix.toml` names.",
        "",
        "| row | Python | langchain | core | langgraph | prebuilt | checkpoint / sqlite | deepagents "
        "| agentkit's suite | upstream prebuilt | upstream langchain |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        result, selection = _latest_result(row)
        has: dict[str, str] = result["installed"]
        suites = {name: str(Counts(**counts)) for name, counts in result["suites"].items()}
        if selection and "agentkit" in suites:
            suites["agentkit"] += f" *({selection})*"
        cells = [
            f"`{row['name']}`: {'; '.join([row['role'], *result['notes']])}",
            row["python"],
            *(has.get(name, "") for name in PACKAGES[:4]),
            f"{has.get('langgraph-checkpoint', '')} / {has.get('langgraph-checkpoint-sqlite', '')}",
            has.get("deepagents") or "none",
            *(suites.get(name, "not run") for name in ("agentkit", "langgraph-prebuilt", "langchain")),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text("\n".join(lines) + "\n")


def _latest_result(row: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The newest result of a row, and what of agentkit's suite it ran (nothing said: all)."""
    found = [
        (path.stat().st_mtime, path, selection)
        for selection, suffix in (("", ".json"), ("core", ".quick.json"))
        if (path := MATRIX / "results" / f"{row['name']}{suffix}").exists()
    ]
    if not found:
        return {"installed": row, "suites": {}, "notes": []}, ""
    _, path, selection = max(found)
    return json.loads(path.read_text()), selection


if __name__ == "__main__":
    sys.exit(main())
