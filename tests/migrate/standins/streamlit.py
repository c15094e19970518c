"""What the programs of the corpus use of streamlit: the page is a transcript on standard output."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any


class _State(dict[str, Any]):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


session_state = _State()


def title(text: str) -> None:
    print("#", text)


def write(text: object) -> None:
    print(text)


markdown = write


def chat_input(_: str = "") -> str:
    return "hello from the page"


def cache_resource(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def write_stream(parts: Iterator[str]) -> str:
    text = "".join(parts)
    print(text)
    return text


@contextlib.contextmanager
def chat_message(role: str) -> Iterator[None]:
    print(f"<{role}>")
    yield


@contextlib.contextmanager
def spinner(_: str = "") -> Iterator[None]:
    yield
