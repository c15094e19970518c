"""The matcher against deepagents' own, over generated rules and paths: never more permissive."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import settings

from agentkit.permissions import FileRules, FilesystemPermission

deepagents = pytest.importorskip("deepagents", reason="deepagents is not installed")

PAIRS = settings.default.max_examples * 192
STRICTNESS = {"allow": 0, "interrupt": 1, "deny": 2}
PARTS = ["secrets", "Secrets", "work", "a", "b.txt", ".env", "a b", "x*", "é", "secretsx"]
GLOBS = ["*", "**", "?", "*.txt", "[ab]", "{a,b.txt}", "s*", ".*", "[!a]", "{secrets,work}", "a{,b}"]


def path(random: random.Random) -> str:
    return "/" + "/".join(random.choices(PARTS, k=random.randint(0, 4)))


def raw_path(random: random.Random) -> Any:
    text = path(random)
    change = random.randrange(8)
    if change == 0:
        return text.replace("/", "//")
    if change == 1:
        return text.replace("/", "\\")
    if change == 2:
        return text + "/"
    if change == 3:
        return "." + text
    if change == 4:
        return text.replace("/", "/./", 1)
    return text


def rules(random: random.Random) -> list[FilesystemPermission]:
    def pattern() -> str:
        return "/" + "/".join(
            random.choice(GLOBS if random.random() < 0.5 else PARTS) for _ in range(random.randint(1, 4))
        )

    return [
        FilesystemPermission(
            random.choice([["read"], ["write"], ["read", "write"]]),  # type: ignore[arg-type]
            [pattern() for _ in range(random.randint(1, 2))],
            random.choice(["allow", "deny", "interrupt"]),  # type: ignore[arg-type]
        )
        for _ in range(random.randint(1, 4))
    ]


def theirs(own: list[FilesystemPermission]) -> list[Any]:
    return [deepagents.FilesystemPermission(list(r.operations), list(r.paths), r.mode) for r in own]


@pytest.mark.parametrize("seed", range(8))
def test_one_path_is_judged_at_least_as_strictly_as_by_deepagents(seed: int) -> None:
    from deepagents.middleware.filesystem import _check_fs_permission

    dice, equal = random.Random(seed), 0
    for _ in range(PAIRS // 8 // 10):
        own = rules(dice)
        judge, upstream = FileRules(own), theirs(own)
        for _ in range(10):
            operation, place = dice.choice(["read", "write"]), path(dice)
            mine, reference = judge.check(operation, place), _check_fs_permission(upstream, operation, place)
            assert STRICTNESS[mine] >= STRICTNESS[reference], (own, operation, place)
            equal += mine == reference
    assert equal > PAIRS // 8 * 0.8  # strict, but not by refusing everything


@pytest.mark.parametrize("seed", range(4))
def test_a_call_that_deepagents_would_stop_is_stopped(seed: int) -> None:
    from deepagents.middleware._fs_interrupt import _FS_TOOL_PATH_ARGS, _build_interrupt_on_from_permissions

    dice = random.Random(seed)
    for _ in range(PAIRS // 4 // 10):
        own = rules(dice)
        judge, gates = FileRules(own), _build_interrupt_on_from_permissions(theirs(own))
        for _ in range(10):
            name = dice.choice(list(_FS_TOOL_PATH_ARGS))
            argument = _FS_TOOL_PATH_ARGS[name][1]
            args = {argument: dice.choice([raw_path(dice), None])} if dice.random() < 0.9 else {}
            if name == "glob":
                args["pattern"] = dice.choice(["*", "**/x", path(dice) + "/**", "../" + "x"])
            request: Any = type("Request", (), {"tool_call": {"name": name, "args": args}})
            if name in gates and gates[name]["when"](request):
                assert judge.judge(name, args).mode != "allow", (own, name, args)
