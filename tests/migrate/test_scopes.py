"""What a name is bound to, and who reads it, where it stands."""

from __future__ import annotations

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from agentkit.migrate.source import Source, read


def reads(source: Source, name: str) -> list[list[int]]:
    """The lines that each binding of a name is read on."""
    return [
        sorted(source.line(node) for node in bound.references)
        for scope in source.scopes
        for bound in scope.names.get(name, ())
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x = 1\nx\n", [[2]]),
        ("x = 1\ndef f(x=x):\n    return x\n", [[2], [3]]),
        ("x = 1\ndef f():\n    x = 2\n    return x\nx\n", [[5], [4]]),
        ("x = 1\ndef f():\n    global x\n    if x:\n        x = 2\n", [[4], [4]]),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    return x\n", [[6], [6]]),
        ("x = 1\nclass A:\n    x = 2\n    y = x\n    def f(self):\n        return x\n", [[6], [4]]),
        ("x = []\n[x for x in x]\n", [[], [2, 2]]),
        ("[x := 1 for _ in y]\nx\n", [[2]]),
        ("def f(y: 'list[x]', z: \"Optional['x']\") -> 'x': ...\nx = 1\n", [[1, 1, 1]]),
        ("import x.y\nx.z\n", [[2]]),
        ("import a as x\nx.z\n", [[2]]),
        ("from x import y\nx = 1\n", [[]]),
        ("x = 1\na.x\nf(x=2)\n", [[]]),
        ("with a as x:\n    x\n", [[2]]),
        ("try: ...\nexcept E as x:\n    x\n", [[3]]),
        ("for a, (x, *y) in z:\n    x\n", [[2]]),
        ("match a:\n    case {'k': x, **y} if x:\n        x\n", [[2, 3]]),
        ("match a:\n    case A(x=y) | [*x]:\n        x\n", [[3]]),
        ("x = 1\n@x\ndef f(): ...\n@x\nclass A(x): ...\n", [[2, 4, 5]]),
        ("x: int = 1\nx += x\ndel x\n", [[2, 3], [2, 3]]),
        ("f = lambda x, *y: x\n", [[1]]),
    ],
)
def test_every_read_of_a_name_goes_to_its_own_bindings(text: str, lines: list[list[int]]) -> None:
    assert sorted(reads(read(text), "x")) == sorted(lines)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("from a.b import c\nc\n", "a.b.c"),
        ("from a.b import c as d\nd.e\n", "a.b.c.e"),
        ("import a.b\na.b.c\n", "a.b.c"),
        ("import a.b as d\nd.c\n", "a.b.c"),
        ("from .b import c\nc\n", ".b.c"),
        ("from . import c\nc.d\n", ".c.d"),
        ("from a import c\nc = 1\nc\n", ""),
        ("c\n", ""),
    ],
)
def test_an_imported_name_has_an_origin(text: str, origin: str) -> None:
    source = read(text)
    statement = source.module.body[-1]
    assert isinstance(statement, cst.SimpleStatementLine)
    expression = statement.body[0]
    assert isinstance(expression, cst.Expr)
    assert source.imported(expression.value) == origin


def test_lines_are_those_that_libcst_tells() -> None:
    text = '# head\n\n"""doc"""; a = 1\n\n\n# before\n@b\n\n@c\ndef f(\n    x,\n):\n    return x\nclass A:\n    d = e\n'
    source = read(text)
    positions = MetadataWrapper(source.module, unsafe_skip_copy=True).resolve(PositionProvider)
    names = source.all(cst.Name)
    assert len(names) == 9
    assert [source.line(node) for node in names] == [positions[node].start.line for node in names]
