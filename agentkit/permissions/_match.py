"""Matching paths against glob patterns as wcmatch does, in time linear in the path."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from bracex import expand
from wcmatch import fnmatch

_T = TypeVar("_T")
_Test = Callable[[_T], bool]
_Pattern = Sequence["_Test[_T] | None"]  # None stands for any number of items
# A class such as `[a-z]`, a run of stars, or one character.
_TOKEN = re.compile(r"\[(?:[!^]|(?![!^]))(?:\[:\w+:\]|.)(?:\[:\w+:\]|[^\]])*\]|\*+|.", re.DOTALL)


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern matches a normal path, as wcmatch has it: letter case and leading dots count."""
    return any(_match(one, _names(path), _is_visible) for one in _compile(pattern, False))


def matches_loosely(pattern: str, path: str) -> bool:
    """Whether it could match where letter case, forms of accents and leading dots make no difference."""
    return any(_match(one, _names(_loose(path)), _is_name) for one in _compile(_loose(pattern), True))


def _loose(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name]


def _is_visible(name: str) -> bool:
    return not name.startswith(".")


def _is_name(name: str) -> bool:
    return name not in (".", "..")


def _match(pattern: _Pattern[_T], items: Sequence[_T], skips: _Test[_T]) -> bool:
    """Match items one by one; the work is at most the product of both lengths.

    Only the latest None takes back what it skipped: where one could stop at a first place, stopping later matches
    nothing more.
    """
    at = item = 0
    latest = start = -1
    while item < len(items):
        test = pattern[at] if at < len(pattern) else _never
        if test is None:
            latest, start, at = at, item, at + 1
        elif test(items[item]):
            at, item = at + 1, item + 1
        elif latest >= 0 and skips(items[start]):
            start += 1
            at, item = latest + 1, start
        else:
            return False
    return all(test is None for test in pattern[at:])


def _never(item: object) -> bool:
    return False


def _always(item: object) -> bool:
    return True


@lru_cache(maxsize=1024)
def _compile(pattern: str, loose: bool) -> list[list[_Test[str] | None]]:
    """One list of tests for each way to read the braces. With a slash at its end a pattern can match `/` alone."""
    read = expand(pattern, keep_escapes=True)
    root: list[list[_Test[str] | None]] = [[] for one in read if one.endswith("/") and set(_names(one)) <= {"**"}]
    return root + [_compile_path(one, loose) for one in read if not one.endswith("/")]


def _compile_path(pattern: str, loose: bool) -> list[_Test[str] | None]:
    tests: list[_Test[str] | None] = []
    for name in _names(pattern):
        if name != "**":
            tests.append(_compile_name(name, loose))
        elif tests[-1:] != [None]:
            tests.append(None)
    if len(tests) > 1 and tests[-1] is None:  # "/a/**" is what lies below /a, not /a itself
        tests.insert(-1, _is_name if loose else _is_visible)
    return tests


def _compile_name(pattern: str, loose: bool) -> _Test[str]:
    tokens = _TOKEN.findall(pattern)
    tests = [None if token[0] == "*" else _compile_character(token, loose) for token in tokens]
    may_start = _always if tokens[0] == "." else _is_name if loose else _is_visible
    return lambda name: may_start(name) and _match(tests, name, _always)


def _compile_character(token: str, loose: bool) -> _Test[str]:
    if token == "?":
        return _always
    if len(token) == 1:
        return token.__eq__
    flags = fnmatch.DOTMATCH | fnmatch.FORCEUNIX | (fnmatch.IGNORECASE if loose else 0)
    expressions = fnmatch.translate(token, flags=flags)[0]
    return lambda character: re.match(expressions[0], character) is not None
