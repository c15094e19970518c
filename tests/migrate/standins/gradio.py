"""What the programs of the corpus use of gradio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class ChatInterface:
    def __init__(self, fn: Callable[..., Any], **_: Any) -> None:
        self.fn = fn

    def launch(self, **_: Any) -> None:
        print(self.fn("hello", []))
