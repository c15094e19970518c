"""The notebook runs from top to bottom."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import nbformat

from .conftest import needs_deepagents

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "human_in_the_loop.ipynb"


@needs_deepagents
def test_every_cell_of_the_notebook_runs() -> None:
    cells = [cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        for cell in cells:
            exec(compile(cell, str(NOTEBOOK), "exec"), names)
    assert "1 decisions were given for 2 tool calls" in shown.getvalue()
    assert "('general-purpose',) delete_file {'path': 'a'}" in shown.getvalue()
