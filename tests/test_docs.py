"""The README and the site are true: their code runs, their tables are made from the data, what they name exists."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from agentkit.cli import COMMANDS

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = sorted(page for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
BLOCKS = [
    pytest.param(code, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, code in enumerate(re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE))
]

pytestmark = pytest.mark.skipif(not README.exists(), reason="the suite runs outside of a checkout, without the README")


@pytest.mark.parametrize("code", BLOCKS)
def test_each_python_block_runs_as_it_stands(code: str, tmp_path: Path) -> None:
    script = tmp_path / "block.py"
    script.write_text(code)
    if "install()" not in code:
        runpy.run_path(str(script), run_name="block")
        return
    # It has to come before what this process has imported long ago.
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_there_is_code_to_run() -> None:
    assert {parameter.id.rpartition("-")[0] for parameter in BLOCKS} >= {"README.md", "docs/approvals.md"}  # type: ignore[union-attr]


def test_the_readme_is_short_and_its_links_are_absolute() -> None:
    text = README.read_text()
    assert len(text.encode()) <= 8 * 1024
    assert [link for link in re.findall(r"\]\(([^)]*)\)", text) if not link.startswith("https://")] == []


@pytest.mark.skipif(find_spec("libcst") is None, reason="the codemod is not installed")
def test_its_tables_are_those_of_the_data() -> None:
    done = subprocess.run([sys.executable, ROOT / ".ci/tools/tables.py", "--check"], check=False)
    assert done.returncode == 0, "run .ci/tools/tables.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_files_targets_and_commands_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"`make ([a-z-]+)`", text)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    shell = "\n".join(re.findall(r"^```(?:sh|bash)\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    named = re.findall(r"(?<![-\w.])agentkit ([a-z]+)", shell) + re.findall(r"`agentkit ([a-z]+)", text)
    assert set(named) <= set(COMMANDS)
    for path in set(re.findall(r"`(\.?[a-z_]+/[A-Za-z0-9_./-]+?\.?[a-z]*)`", text)):
        # The matrix runs the suite outside of the checkout, where the package is the installed one.
        if (
            path.startswith((".ci/", "agentkit/", "notebooks/", "benchmarks/", "tests/", "docs/"))
            and (ROOT / path.partition("/")[0]).exists()
        ):
            assert (ROOT / path).exists(), path
