"""The summarization node of langmem, as far as the programs of the corpus need it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import SystemMessage
from langgraph.utils.runnable import RunnableCallable


@dataclass
class RunningSummary:
    summary: str


class SummarizationNode(RunnableCallable):
    def __init__(
        self, *, model: Any, max_tokens: int, output_messages_key: str = "summarized_messages",
        name: str = "summarization", **_: Any,
    ) -> None:  # fmt: skip
        super().__init__(self._func, self._afunc, name=name, trace=False)
        self.model, self.max_tokens, self.output_messages_key = model, max_tokens, output_messages_key

    def _func(self, state: dict[str, Any]) -> dict[str, Any]:
        messages = list(state["messages"])
        if len(messages) < 3:
            return {self.output_messages_key: messages}
        summary = SystemMessage(f"Summary of {len(messages) - 1} messages.")
        return {
            self.output_messages_key: [summary, messages[-1]] if messages[-1].type == "human" else messages,
            "context": {"running_summary": RunningSummary(str(summary.content))},
        }

    async def _afunc(self, state: dict[str, Any]) -> dict[str, Any]:
        return self._func(state)
