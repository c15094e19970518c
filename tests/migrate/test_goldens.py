"""Each rule on small programs: the text it must write, and the behaviour it must keep."""

from __future__ import annotations

import re
import tokenize
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest

from agentkit.migrate import Options, migrate_source
from agentkit.migrate.explain import RULES
from agentkit.testing import ScriptedChatModel
from tests.migrate.harness import GOLDEN, SCRIPT, check, run

PROGRAMS = sorted(path for path in GOLDEN.glob("*.py") if not path.name.endswith(".after.py"))
RUNNABLE = [path for path in PROGRAMS if "RUNS = False" not in path.read_text()]


def after(path: Path) -> str:
    return path.with_suffix(".after.py").read_text()


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_becomes_exactly_the_text_beside_it(path: Path) -> None:
    assert migrate_source(path.read_text()).source == after(path)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_second_run_changes_nothing_and_no_comment_is_lost(path: Path) -> None:
    first = migrate_source(path.read_text())
    second = migrate_source(first.source)
    assert second.source == first.source
    assert second.changes == []
    assert second.left == [] or [left.code for left in second.left] == [left.code for left in first.left]
    assert not comments(path.read_text()) - comments(first.source)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_what_stays_keeps_its_call_and_gets_one_mark(path: Path) -> None:
    result = migrate_source(path.read_text())
    marks = result.source.count("# TODO(agentkit): AK")
    assert marks == len(result.left) + len(result.notes)
    if "_stays_" in path.stem:
        assert "AK002" not in {change.code for change in result.changes}
    else:
        assert "create_react_agent(" not in result.source


@pytest.mark.parametrize("path", RUNNABLE, ids=lambda path: path.stem)
def test_a_program_behaves_as_before(path: Path) -> None:
    before = path.read_text()
    settings = run(before if "HISTORICAL" not in before else after(path), path.name, ScriptedChatModel(script=SCRIPT))
    names = migrate_source(before).node_names
    if settings.get("HISTORICAL"):  # upstream's newest no longer takes these arguments: the shim does
        before = migrate_source(before, Options(to="shim")).source
    if "SHOWN" in settings:
        shown = [run(text, path.name, ScriptedChatModel(script=SCRIPT))["SHOWN"] for text in (before, after(path))]
        assert shown[0] == shown[1]
    check(before, after(path), path.name, names, settings)


@pytest.mark.parametrize("path", RUNNABLE, ids=lambda path: path.stem)
def test_the_shim_target_changes_imports_alone(path: Path) -> None:
    before = path.read_text()
    result = migrate_source(before, Options(to="shim"))
    changed = [line for old, line in zip(before.splitlines(), result.source.splitlines(), strict=False) if old != line]
    assert {change.code for change in result.changes} <= {"AK001"}
    assert "TODO(agentkit)" not in result.source
    if "langgraph.prebuilt" in before and "import *" not in before:
        assert not re.search(r"^\s*(from|import) langgraph\.prebuilt", result.source, re.MULTILINE) or not changed


def test_as_many_programs_must_not_change_as_must() -> None:
    stays = [path for path in PROGRAMS if "_stays_" in path.stem]
    assert len(stays) * 2 >= len(PROGRAMS)


def test_every_rule_has_a_golden_and_an_explanation() -> None:
    codes = {path.stem[:5].upper() for path in PROGRAMS} | {"AK019"}
    assert codes == set(RULES)
    for rule in RULES.values():
        assert rule.text.partition("\n\nBefore:\n\n```")[0].endswith((".", ")"))
        assert rule.before != rule.after


@pytest.mark.parametrize("code", sorted(set(RULES) - {"AK016", "AK019"}))
def test_the_example_of_a_rule_is_what_the_rule_does(code: str) -> None:
    rule = RULES[code]
    head = (
        "from langchain_core.messages import SystemMessage\n"
        "from langgraph.prebuilt import ToolNode, ValidationNode, create_react_agent\n"
        "from langgraph.checkpoint.memory import MemorySaver\n"
        "from models import large, model, small\n"
    )
    before = rule.before if "import" in rule.before else head + rule.before
    result = migrate_source(before).source
    wanted = rule.after.rstrip("\n")
    squeezed = re.sub(r"\n{2,}", "\n", result)
    assert re.sub(r"\n{2,}", "\n", wanted) in squeezed
