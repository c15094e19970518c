"""What the programs of the corpus use of chainlit."""

from __future__ import annotations

from typing import Any


class _Session(dict[str, Any]):
    def set(self, key: str, value: Any) -> None:
        self[key] = value


user_session = _Session()


class Message:
    def __init__(self, content: str = "") -> None:
        self.content = content

    async def stream_token(self, token: str) -> None:
        self.content += token

    async def send(self) -> None:
        print("sent:", self.content)


def on_chat_start(function: Any) -> Any:
    return function


on_message = on_chat_start
