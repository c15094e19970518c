"""Whole programs in the styles people write: the same behaviour after, nothing left to do in a second run.

Each is migrated, migrated again, and run as a script where it prints. The parity check of its agent runs for
every fourth, one way of calling; for all of them, sync and async, with `make corpus` (AGENTKIT_CORPUS=full).
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest

from agentkit.testing.parity import How
from tests.migrate.running import NOTEBOOKS, PROGRAMS, Program, check, migrated, programs, source, told

ALL = programs()
# What is left today that should move: the codes. An entry that is mended has to go.
OPEN: dict[str, str] = {
    "programs/classes/abstract_base.py": "AK004",
    "programs/project/state_module": "AK010",
    "programs/project/stream_in_main": "AK001",
    "programs/prompts/dict_config.py": "AK004",
    "programs/streams/assert_on_names.py": "AK016 AK016",
    "programs/streams/dict_of_handlers.py": "AK016",
}
# What behaves otherwise today, and how.
WRONG: dict[str, str] = {}


def ways(program: Program) -> list[How]:
    if os.environ.get("AGENTKIT_CORPUS") == "full":
        return ["sync", "async"]
    number = zlib.crc32(program.name.encode())  # a program keeps its way from run to run
    return [] if number % 4 and program.name not in WRONG else ["sync"] if number % 8 else ["async"]


def wrong(program: Program) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=WRONG[program.name])] if program.name in WRONG else []


@pytest.mark.parametrize("program", [pytest.param(each, id=each.name, marks=wrong(each)) for each in ALL])
def test_a_program_behaves_as_before_and_is_done_in_one_run(program: Program, tmp_path: Path) -> None:
    both = migrated(program, tmp_path)
    check(program, both, ways(program))
    files = [path for path in both.after.parent.rglob("*") if path.is_file()]
    texts = [path.read_bytes() for path in files]
    told(both.after)
    assert [path.read_bytes() for path in files] == texts
    stays = sorted(OPEN[program.name].split()) if program.name in OPEN else program.stays
    assert sorted(left["code"] for left in both.left) == stays, [left["reason"] for left in both.left]


def test_the_corpus_is_large_enough() -> None:
    notebooks = [program for program in ALL if program.path.suffix == ".ipynb"]
    assert len(ALL) - len(notebooks) >= 150
    assert len(notebooks) >= 40


def test_every_setting_of_a_program_is_read() -> None:
    known = {"agent", "stays", "script", "inputs", "structured", "config", "context", "historical"}
    for program in ALL:
        assert set(program.settings) <= known
    assert not {*OPEN, *WRONG} - {program.name for program in ALL}
    assert all(
        source(path) for path in [*PROGRAMS.rglob("*.py"), *NOTEBOOKS.rglob("*.ipynb")] if path.name != "__init__.py"
    )
