"""How fast is `agentkit migrate` on a large tree? Side by side with pyupgrade and `ruff check`, in one run.

The tree has 2,000 files of about the size of this project's own modules; 30 of them use the legacy API.
Each tool is started as a process, in turns, and the median is taken; the tools only read.

    python benchmarks/bench_migrate.py [--files 2000] [--hits 30] [--rounds 5]
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEGACY = """
from langgraph.prebuilt import create_react_agent


def prompt_{n}(state):
    return [("system", f"You are number {n}.")] + state["messages"]


def build_{n}(model, tools):
    return create_react_agent(model, tools, prompt=prompt_{n})
"""


def make_tree(root: Path, files: int, hits: int) -> int:
    """Write the tree; return its size in bytes."""
    sources = sorted(path for path in (ROOT / "agentkit").rglob("*.py") if "migrate" not in path.parts)
    texts = [path.read_text() for path in sources if path.stat().st_size > 500]
    # What speaks of the legacy module is taken out: a file without hits has no reason to be parsed.
    plain = [text.replace("prebuilt", "prefab") for text in texts]
    size = 0
    for number in range(files):
        package = root / f"package_{number // 50}"
        package.mkdir(exist_ok=True)
        text = plain[number % len(plain)]
        if number % (files // hits) == 0 and number // (files // hits) < hits:
            text += LEGACY.replace("{n}", str(number))
        (package / f"module_{number}.py").write_text(text)
        size += len(text)
    return size


def seconds(command: list[str], *, codes: set[int]) -> tuple[float, float]:
    """Run a command once and return how long it took, by the clock and in processor time."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, check=False, cwd=ROOT)
    took, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in codes:
        raise SystemExit(f"{command[:3]} failed with {done.returncode}:\n{done.stderr.decode()[:2000]}")
    return took, processor


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--hits", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    python = sys.executable
    with tempfile.TemporaryDirectory() as place:
        tree, empty = Path(place, "tree"), Path(place, "none")
        tree.mkdir()
        empty.mkdir()
        size = make_tree(tree, arguments.files, arguments.hits)
        make_tree(empty, arguments.files, 1)
        for path in empty.rglob("*.py"):
            path.write_text(path.read_text().replace("prebuilt", "prefab"))
        files = sorted(str(path) for path in tree.rglob("*.py"))
        migrate = [python, "-m", "agentkit.cli", "migrate", "--json"]
        commands = {
            "agentkit migrate": ([*migrate, str(tree)], {1}),
            "agentkit migrate, no hits": ([*migrate, str(empty)], {0}),
            # pyupgrade has no dry run: the first round rewrites, and the median is of rounds that change nothing.
            "pyupgrade": ([python, "-m", "pyupgrade", "--py310-plus", *files], {0, 1}),
            "ruff check": ([python, "-m", "ruff", "check", "--no-cache", "--isolated", "--quiet", str(tree)], {0, 1}),
            "python -c pass": ([python, "-c", "pass"], {0}),
        }
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for number in range(arguments.rounds + 1):
            for name, (command, codes) in commands.items():
                took = seconds(command, codes=codes)
                if number:  # the first round warms the file cache
                    times[name].append(took)
    medians, processor = (
        {name: round(statistics.median(value[kind] for value in values), 3) for name, values in times.items()}
        for kind in (0, 1)
    )
    own = medians["agentkit migrate"]
    without = (medians["agentkit migrate, no hits"] - medians["python -c pass"]) / arguments.files
    print(
        json.dumps(
            {
                "files": arguments.files,
                "hits": arguments.hits,
                "megabytes": round(size / 1e6, 1),
                "seconds (median)": medians,
                "processor seconds (median)": processor,
                "pyupgrade / agentkit": round(medians["pyupgrade"] / own, 1),
                "pyupgrade / agentkit, processor": round(processor["pyupgrade"] / processor["agentkit migrate"], 1),
                "ruff check / agentkit": round(medians["ruff check"] / own, 2),
                "milliseconds per file without hits, start included": round(without * 1000, 3),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
