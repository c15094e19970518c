"""The same program in any layout: formatting must never change what is rewritten, nor get lost."""

from __future__ import annotations

import ast
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentkit.migrate import migrate_source
from tests.migrate.test_goldens import GOLDEN, comments

EXAMPLES = settings.default.max_examples // 2
PROGRAMS = sorted(path for path in GOLDEN.glob("*.py") if not path.name.endswith(".after.py"))

space = st.sampled_from(["", " ", "  ", "\n", "\n    ", "  # noise\n", "\n\n# more noise\n        ", "\t"])
programs = st.sampled_from(PROGRAMS)


def brackets(text: str, fill: list[str]) -> str:
    """Put white space and comments after brackets and commas of calls and lists."""
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()
    spots, texts = set(), []

    def at(line: int | None, column: int | None) -> int:
        return starts[(line or 1) - 1] + (column or 0)

    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            texts.append((at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)))
        if isinstance(node, ast.Call):
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                end = at(argument.end_lineno, argument.end_col_offset)
                if data[end : end + 1] in {b",", b")"}:
                    spots.add(end)
        elif isinstance(node, (ast.List, ast.Tuple)) and node.elts:
            end = at(node.elts[-1].end_lineno, node.elts[-1].end_col_offset)
            if data[end : end + 1] == b"]":
                spots.add(end)
    spots = {spot for spot in spots if not any(start <= spot < end for start, end in texts)}
    for number, spot in enumerate(sorted(spots, reverse=True)):
        data = data[:spot] + fill[number % len(fill)].encode() + data[spot:]
    return data.decode()


@given(path=programs, fill=st.lists(space, min_size=1, max_size=8), newline=st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_layout_within_brackets_changes_nothing_but_layout(path: Path, fill: list[str], newline: str) -> None:
    plain = path.read_text()
    noisy = brackets(plain, fill)
    ast.parse(noisy)
    wanted, result = migrate_source(plain), migrate_source(noisy.replace("\n", newline))
    new = result.source.replace(newline, "\n")
    assert [change.code for change in result.changes] == [change.code for change in wanted.changes]
    assert [left.code for left in result.left] == [left.code for left in wanted.left]
    assert ast.dump(ast.parse(new)) == ast.dump(ast.parse(wanted.source))
    assert not comments(noisy) - comments(new)
    assert migrate_source(result.source).source == result.source


@given(path=programs, pieces=st.lists(st.sampled_from(["# noise", "", "pass", "x = 1; y = 2", "'''text'''"])))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_statements_between_change_nothing_but_themselves(path: Path, pieces: list[str]) -> None:
    plain = path.read_text()
    blocks = plain.split("\n\n\n")
    noisy = "\n\n\n".join(
        block if number >= len(pieces) or not number else f"{pieces[number]}\n{block}"
        for number, block in enumerate(blocks)
    )
    try:
        ast.parse(noisy)
    except SyntaxError:
        return  # the piece fell into a text
    wanted, result = migrate_source(plain), migrate_source(noisy)
    assert [change.code for change in result.changes] == [change.code for change in wanted.changes]
    assert not comments(noisy) - comments(result.source)
    assert migrate_source(result.source).source == result.source


@given(text=st.text(alphabet="from langgraph.prebuilt import create_react_agent()[]:=,#'\"\n\t\\", max_size=200))
@settings(max_examples=EXAMPLES * 3, deadline=None)
def test_any_text_is_rewritten_or_refused_as_no_python(text: str) -> None:
    import libcst

    program = f"from langgraph.prebuilt import create_react_agent\n{text}"
    try:
        result = migrate_source(program)
    except (libcst.ParserSyntaxError, ValueError):
        return
    assert migrate_source(result.source).source == result.source


@given(names=st.lists(st.sampled_from(["model", "tools", "prompt", "agent", "State", "AgentMiddleware", "before_model",
                                      "PromptMiddleware", "dynamic_prompt", "ModelRequest", "create_agent"]),
                      unique=True))  # fmt: skip
@settings(max_examples=EXAMPLES, deadline=None)
def test_names_of_the_file_are_never_taken_over(names: list[str]) -> None:
    own = "".join(f"{name}_ = {name} = object()\n" for name in names)
    program = (
        f"from langgraph.prebuilt import create_react_agent\n{own}"
        "a = create_react_agent(m, [], prompt=lambda s: s['messages'], post_model_hook=lambda s: {})\n"
        f"after = [{', '.join(names)}]\n"
    )
    new = migrate_source(program).source
    bound = [node for node in ast.walk(ast.parse(new)) if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
    imported = [a.asname or a.name for n in ast.walk(ast.parse(new)) if isinstance(n, ast.ImportFrom) for a in n.names]
    assert not {node.name for node in bound} & set(names)
    assert not set(imported) & set(names)
