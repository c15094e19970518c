"""The README is true: its code runs, its tables are made from the data, its files exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", README.read_text() if README.exists() else "", re.DOTALL | re.MULTILINE)

pytestmark = pytest.mark.skipif(not README.exists(), reason="the suite runs outside of a checkout, without the README")


@pytest.mark.parametrize("code", BLOCKS, ids=range(len(BLOCKS)))
def test_each_python_block_runs_as_it_stands(code: str, tmp_path: Path) -> None:
    script = tmp_path / "block.py"
    script.write_text(code)
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_readme_has_code_to_run() -> None:
    assert BLOCKS


def test_its_tables_are_those_of_the_data() -> None:
    done = subprocess.run([sys.executable, ROOT / ".ci/tools/readme.py", "--check"], check=False)
    assert done.returncode == 0, "run .ci/tools/readme.py"


def test_the_files_and_targets_it_names_exist() -> None:
    text = README.read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"`?make ([a-z-]+)`?", text)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for path in set(re.findall(r"`(\.?[a-z_]+/[A-Za-z0-9_./-]+?\.?[a-z]*)`", text)):
        # The matrix runs the suite outside of the checkout, where the package is the installed one.
        if (
            path.startswith((".ci/", "agentkit/", "notebooks/", "benchmarks/", "tests/"))
            and (ROOT / path.partition("/")[0]).exists()
        ):
            assert (ROOT / path).exists(), path
