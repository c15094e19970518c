"""Programs and notebooks in the styles people write: what must hold for every one of them."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest

from agentkit.migrate import Options, migrate_source
from agentkit.migrate.cli import main
from agentkit.migrate.files import is_hit
from agentkit.migrate.notebooks import code_cells, migrate_notebook
from tests.migrate.test_goldens import comments

CORPUS = Path(__file__).parent / "corpus"
PROGRAMS = sorted([*CORPUS.rglob("*.py"), *CORPUS.rglob("*.pyi")])
NOTEBOOKS = sorted(CORPUS.rglob("*.ipynb"))
TARGETS = [Options(), Options(to="shim"), Options(docs=True, apply=frozenset({"AK007", "AK014", "AK018"}))]


def name(path: Path) -> str:
    return str(path.relative_to(CORPUS))


def test_the_corpus_is_large_enough() -> None:
    assert len(PROGRAMS) >= 60
    assert len(NOTEBOOKS) >= 15


@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_a_program_is_rewritten_once_with_every_comment_kept(path: Path) -> None:
    text = path.read_text()
    for options in TARGETS:
        first = migrate_source(text, options)
        assert migrate_source(first.source, options).source == first.source
        assert not comments(text) - comments(first.source)
        ast.parse(first.source)
        if not first.changes and not first.left:
            assert first.source == text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_a_notebook_changes_in_its_code_cells_alone(path: Path) -> None:
    text = path.read_bytes().decode()
    for options in TARGETS:
        first = migrate_notebook(text, options)
        assert migrate_notebook(first.source, options).source == first.source
        old, new = json.loads(text), json.loads(first.source)
        assert list(new) == list(old)
        for before, after in zip(old["cells"], new["cells"], strict=True):
            assert list(before) == list(after)
            if before["cell_type"] == "code":
                assert type(before.pop("source")) is type(after.pop("source"))
            assert before == after
        outside = [text[: code_cells(text)[0].start], first.source[: code_cells(first.source)[0].start]]
        assert outside[0] == outside[1]
        tails = [t[code_cells(t)[-1].end :] for t in (text, first.source)]
        assert tails[0] == tails[1]


def test_magics_shell_lines_and_foreign_cells_stay_as_written() -> None:
    text = (CORPUS / "notebooks/05_shell_and_magics.ipynb").read_text()
    new = [cell.text for cell in code_cells(migrate_notebook(text).source)]
    old = [cell.text for cell in code_cells(text)]
    assert new[0] == old[0].replace(
        "from langgraph.prebuilt import create_react_agent", "from langchain.agents import create_agent"
    )
    assert new[1] == old[1]
    assert new[2] == old[2].replace("create_react_agent", "create_agent")
    assert new[3] == old[3]


def test_names_are_resolved_across_the_cells_of_a_notebook() -> None:
    text = (CORPUS / "notebooks/02_prompt_across_cells.ipynb").read_text()
    cells = [cell.text for cell in code_cells(migrate_notebook(text).source)]
    assert cells[2] == "agent = create_agent('openai:gpt-4o', [], system_prompt=SYSTEM)\nagent"


def test_a_cell_that_can_not_be_parsed_is_left_and_named_where_it_matters() -> None:
    text = (CORPUS / "notebooks/10_broken_cell.ipynb").read_text()
    assert "create_agent(" in migrate_notebook(text).source
    broken = text.replace("for x in", "from langgraph.prebuilt import")
    with pytest.raises(SyntaxError, match="code cell 1 can't be parsed"):
        migrate_notebook(broken)


def test_the_whole_tree_is_written_once_and_untouched_files_are_byte_identical(tmp_path: Path) -> None:
    tree = tmp_path / "corpus"
    shutil.copytree(CORPUS, tree)
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    assert main([str(tree), "--write", "--json"]) == 1
    after = {path: path.read_bytes() for path in before}
    changed = {path for path in before if before[path] != after[path]}
    assert all(is_hit(before[path]) for path in changed)
    assert len(changed) > 60
    assert main([str(tree), "--write", "--json"]) == 0
    assert {path: path.read_bytes() for path in before} == after


def test_fences_of_markdown_and_docstrings_are_rewritten_on_request(tmp_path: Path) -> None:
    fence = (
        "1. Build it:\n\n   ```python\n   from langgraph.prebuilt import create_react_agent\n   ```\n\n"
        "2. Use it:\n\n   ```python\n   agent = create_react_agent(model, [], prompt='x')\n   ```\n\n"
        "```sh\npython -c 'from langgraph.prebuilt import create_react_agent'\n```\n"
    )
    page, module = tmp_path / "page.md", tmp_path / "module.py"
    page.write_text(fence)
    shutil.copy(CORPUS / "styles/docstring.py", module)
    assert main([str(tmp_path), "--write", "--json"]) == 0
    assert main([str(tmp_path), "--write", "--docs", "--json"]) == 1
    assert page.read_text() == fence.replace(
        "   from langgraph.prebuilt import create_react_agent", "   from langchain.agents import create_agent"
    ).replace("create_react_agent(model, [], prompt='x')", "create_agent(model, [], system_prompt='x')")
    text = module.read_text()
    assert 'agent = create_agent("openai:gpt-4o", [], system_prompt="x")' in text
    assert "    from agentkit.prebuilt import create_react_agent\n" in text
    assert main([str(tmp_path), "--write", "--docs", "--json"]) == 0


def test_empty_lines_at_the_ends_of_a_cell_and_a_byte_order_mark_stay(tmp_path: Path) -> None:
    text = (CORPUS / "notebooks/01_quickstart.ipynb").read_text()
    spaced = text.replace('"from langgraph', '"\\n",\n    "from langgraph').replace("tools=[])", "tools=[])\\n\\n")
    file = tmp_path / "spaced.ipynb"
    file.write_bytes(b"\xef\xbb\xbf" + spaced.encode())
    old = [cell.text for cell in code_cells(spaced)]
    assert main([str(file), "--write", "--json"]) == 1
    new = file.read_bytes()
    assert new.startswith(b"\xef\xbb\xbf{")
    cell = code_cells(new.decode("utf-8-sig"))[1].text
    assert cell.startswith("\nfrom langchain.agents import create_agent\n")
    assert cell.endswith("create_agent(model, tools=[])\n\n")
    assert old[1].endswith("tools=[])\n\n")


def test_a_notebook_written_in_ascii_stays_in_ascii() -> None:
    text = (CORPUS / "notebooks/07_unicode.ipynb").read_text()
    new = migrate_notebook(text).source
    assert text.isascii()
    assert new.isascii()
    assert "system_prompt='Sei h\\u00f6flich" in new
