"""Each notebook runs from top to bottom, with no key and no cell left out."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nbformat
import pytest
from ipykernel.kernelspec import make_ipkernel_cmd
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
slow = pytest.mark.slow(reason="starts a kernel and runs it from top to bottom")


class OwnPython(KernelSpecManager):
    """Every kernel is the interpreter that runs the tests, whatever kernels the machine has."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(argv=make_ipkernel_cmd(), display_name=kernel_name, language="python")


class OwnKernel(AsyncKernelManager):
    """A kernel of that interpreter; nbclient makes it and cleans up after it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(kernel_spec_manager=OwnPython(), **kwargs)


def test_there_are_notebooks() -> None:
    assert {path.stem for path in NOTEBOOKS} >= {"five_minutes", "tools_command_state"}


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[] if path.stem == "five_minutes" else slow, id=path.stem) for path in NOTEBOOKS],
)
async def test_a_notebook_runs_from_top_to_bottom(path: Path, tmp_path: Path) -> None:
    notebook: Any = nbformat.read(path, as_version=4)
    if find_spec("deepagents") is None and any("create_deep_agent" in cell.source for cell in notebook.cells):
        pytest.skip("deepagents is not installed")
    where = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, kernel_manager_class=OwnKernel, timeout=120, resources=where)
    await client.async_execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    complaints = [out.text for cell in cells for out in cell.outputs if out.get("name") == "stderr"]
    assert complaints == []
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


@each_notebook
def test_a_notebook_is_committed_without_outputs_and_without_cells_that_may_be_skipped_or_fail(path: Path) -> None:
    notebook: Any = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.metadata, cell.source
        assert cell.source.strip()
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None), cell.source
