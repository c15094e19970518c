"""Write threads with old versions, resume them on the rows of the matrix, and write the table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import tomllib
from envs import CACHE, MATRIX, ROOT, build_wheel, clean_env, install_wheel, make_env, run
from matrix import requirements_of

TABLE = ROOT / "docs" / "threads.md"
PROGRAMS = ROOT / ".ci" / "tools"

# langgraph -> what it was installed with when it was new.
OLD: dict[str, list[str]] = {
    "0.2.0": ["langgraph-checkpoint==1.0.2", "langgraph-checkpoint-sqlite==1.0.0", "langchain-core==0.2.29"],
    "0.2.76": ["langgraph-checkpoint==2.0.16", "langgraph-checkpoint-sqlite==2.0.5", "langchain-core==0.3.40"],
    "0.3.34": [
        "langgraph-prebuilt==0.1.8",
        "langgraph-checkpoint==2.0.25",
        "langgraph-checkpoint-sqlite==2.0.6",
        "langchain-core==0.3.56",
    ],
    "0.4.10": [
        "langgraph-prebuilt==0.2.2",
        "langgraph-checkpoint==2.1.0",
        "langgraph-checkpoint-sqlite==2.0.10",
        "langchain-core==0.3.66",
    ],
    "0.5.4": [
        "langgraph-prebuilt==0.5.2",
        "langgraph-checkpoint==2.1.1",
        "langgraph-checkpoint-sqlite==2.0.10",
        "langchain-core==0.3.71",
    ],
    "0.6.11": [
        "langgraph-prebuilt==0.6.5",
        "langgraph-checkpoint==3.0.0",
        "langgraph-checkpoint-sqlite==3.0.0",
        "langchain-core==1.0.0",
    ],
    "1.0.10": [
        "langgraph-prebuilt==1.0.8",
        "langgraph-checkpoint==4.0.1",
        "langgraph-checkpoint-sqlite==3.0.3",
        "langchain-core==1.2.16",
    ],
    "1.1.10": [
        "langgraph-prebuilt==1.0.12",
        "langgraph-checkpoint==4.0.3",
        "langgraph-checkpoint-sqlite==3.0.3",
        "langchain-core==1.3.2",
    ],
    "1.2.24": [
        "langgraph-prebuilt==1.1.3",
        "langgraph-checkpoint==4.3.2",
        "langgraph-checkpoint-sqlite==3.1.2",
        "langchain-core==1.8.3",
    ],
}
# Undeclared, or without the upper bound that they need.
ALSO = ("httpx", "aiosqlite<0.22")
MODES = {
    "shim": "`agentkit.prebuilt.create_react_agent`, as they are",
    "bare": "`create_agent`, as they are",
    "moved": "`create_agent`, after `agentkit.threads.move`",
}
# The modes that answer for each thread, with what may become of one besides going on.
ANSWERING: dict[str, set[str]] = {"shim": set(), "moved": {"refused"}}
AS_UPSTREAM = " (upstream's own agent too)"
Outcomes = dict[str, dict[str, str]]  # old version -> thread -> outcome


def main() -> int:
    """Write what is missing, resume all of it, and fail where agentkit loses a thread."""
    parser = argparse.ArgumentParser(prog=".ci/threads_table", description=__doc__)
    parser.add_argument("--row", action="append", default=[], help="only this row of matrix.toml, and no table")
    options = parser.parse_args()
    rows = tomllib.loads((ROOT / "matrix.toml").read_text())["row"]
    rows = [row for row in rows if not row.get("prerelease") and (not options.row or row["name"] in options.row)]
    files = {version: _write(version) for version in OLD}
    wheel = build_wheel()
    results: dict[str, dict[str, Outcomes]] = {mode: {} for mode in MODES}
    for row in rows:
        python = make_env(MATRIX / "envs" / row["name"], row["python"], *requirements_of(row, wheel))
        install_wheel(python, wheel)
        outcomes = _resume(python, files)
        for mode in ANSWERING:
            _compare(outcomes[mode], outcomes["upstream"])
        for mode in MODES:
            results[mode][row["name"]] = outcomes[mode]
        print(f"{row['name']:>8}  {_summary({mode: results[mode][row['name']] for mode in MODES})}", flush=True)
    if not options.row:
        TABLE.write_text(_document(results))
    lost = list(_lost(results))
    for line in lost:
        print(line)
    return 1 if lost else 0


def _lost(results: dict[str, dict[str, Outcomes]]) -> Iterator[str]:
    """The threads that agentkit did not resume, or said to have moved and that do not go on."""
    for mode, fine in ANSWERING.items():
        for row, of_row in results[mode].items():
            for version, threads in of_row.items():
                for thread, outcome in threads.items():
                    if outcome not in {"ok", "never worked", *fine} and not outcome.endswith(AS_UPSTREAM):
                        yield f"{mode} on {row}: {thread!r} of {version}: {outcome}"


def _write(version: str) -> Path:
    """The threads of one old version, written once."""
    target = CACHE / "threads" / f"lg{version}.sqlite"
    if not Path(f"{target}.json").exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        python = make_env(MATRIX / "old" / version, "3.11", f"langgraph=={version}", *OLD[version], *ALSO)
        run([python, PROGRAMS / "threads_write.py", target], env=clean_env())
    return target


def _resume(python: Path, files: dict[str, Path]) -> dict[str, Outcomes]:
    done = run([python, PROGRAMS / "threads_resume.py", *files.values()], env=clean_env())
    said: dict[str, Outcomes] = json.loads(done.stdout.splitlines()[-1])
    return {mode: {version: of_file[str(file)] for version, file in files.items()} for mode, of_file in said.items()}


def _compare(ours: Outcomes, upstreams: Outcomes) -> None:
    """Mark what that row's own legacy agent can't resume either."""
    for version, threads in ours.items():
        for thread, outcome in threads.items():
            if outcome != "ok" and outcome == upstreams[version][thread] != "never worked":
                threads[thread] = outcome + AS_UPSTREAM


def _summary(of_row: dict[str, Outcomes]) -> str:
    parts = []
    for mode, outcomes in of_row.items():
        found = [outcome for threads in outcomes.values() for outcome in threads.values()]
        parts.append(f"{mode}: {found.count('ok')} of {len(found) - found.count('never worked')} ok")
    return ", ".join(parts)


def _document(results: dict[str, dict[str, Outcomes]]) -> str:
    rows = list(next(iter(results.values())))
    lines = [
        "## Stored threads",
        "",
        f"Generated by `make threads-table`: threads written by {len(OLD)} old versions (columns), resumed on "
        f"the rows {', '.join(f'`{row}`' for row in rows)} of the version table. `ok`: the thread goes on where it "
        "stood, to the right messages, and each tool ran exactly as often as without the upgrade. `stuck`: it "
        "pauses again for ever. `ends`: it ends in silence. `refused`: it is left as it is, with the reason. `never "
        "worked`: that version's own agent fails at it. Empty: that version had no such thing.",
    ]
    for mode, title in MODES.items():
        lines += ["", f"### Resumed by {title}", "", f"| thread | {' | '.join(OLD)} |", f"|---|{'---|' * len(OLD)}"]
        threads = dict.fromkeys(
            thread for of_row in results[mode].values() for outcomes in of_row.values() for thread in outcomes
        )
        for thread in threads:
            lines.append(f"| {thread} | {' | '.join(_cell(results[mode], version, thread) for version in OLD)} |")
    return "\n".join(lines) + "\n"


def _cell(of_rows: dict[str, Outcomes], version: str, thread: str) -> str:
    """The outcome, or each outcome with its rows where they differ."""
    rows_of: dict[str, list[str]] = {}
    for row, outcomes in of_rows.items():
        rows_of.setdefault(outcomes[version].get(thread, ""), []).append(row)
    if len(rows_of) == 1:
        return next(iter(rows_of))
    return "; ".join(f"{outcome} on {', '.join(rows)}" for outcome, rows in rows_of.items())


if __name__ == "__main__":
    sys.exit(main())
