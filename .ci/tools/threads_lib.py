"""The scripted agent whose threads old versions write and new ones resume.

It runs in environments from langgraph 0.2 to today, so it uses nothing but langchain-core and the old
spellings (`typing.List`: models of langchain-core 0.2 are pydantic v1).
"""

# ruff: noqa: UP006, UP035, UP045
from typing import Any, List, Optional

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool

RUNS: List[str] = []  # each execution of a tool, in order


def _call(name: str, number: int, **args: Any) -> dict:
    return {"name": name, "args": args, "id": f"call_{number}", "type": "tool_call"}


SCRIPTS = {
    "one": [_call("add", 1, a=1, b=2)],
    "two": [_call("add", 1, a=1, b=2), _call("add", 2, a=3, b=4)],
    "ask": [_call("ask", 1, q="ok?")],
    "both": [_call("add", 1, a=1, b=2), _call("ask", 2, q="ok?")],
}
STRUCTURED = {"total": 3}
SCHEMA = {
    "title": "Total",
    "description": "The total.",
    "type": "object",
    "properties": {"total": {"type": "integer"}},
}


class Scripted(BaseChatModel):
    """Asks for the script's tools in its first turn, then repeats the tool results. Keeps no state."""

    script: str = "one"

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: List[BaseMessage],
        stop: Optional[List[str]] = None,
        run_manager: Any = None,
        **kwargs: Any,
    ) -> ChatResult:
        turn = sum(isinstance(message, AIMessage) for message in messages)
        if turn == 0:
            reply = AIMessage(content="", id="ai-0", tool_calls=SCRIPTS[self.script])
        else:
            results: List[str] = []
            for message in reversed(messages):
                if not isinstance(message, ToolMessage):
                    break
                results.insert(0, str(message.content))
            reply = AIMessage(content="done: " + ", ".join(results), id=f"ai-{turn}")
        return ChatResult(generations=[ChatGeneration(message=reply)])

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def with_structured_output(self, schema: Any, **kwargs: Any) -> Any:
        return RunnableLambda(lambda _: dict(STRUCTURED))


@tool
def add(a: int, b: int) -> str:
    """Add two numbers."""
    RUNS.append(f"add {a} {b}")
    return str(a + b)


@tool
def ask(q: str) -> str:
    """Ask the human."""
    from langgraph.types import interrupt

    answer = interrupt({"question": q})
    RUNS.append(f"ask {answer}")
    return f"human said {answer}"


def same(state: Any) -> dict:
    """A hook that changes nothing."""
    return {}


# Name -> (script, arguments of create_react_agent, whether an async saver writes it).
SCENARIOS: dict = {
    "waits before tools": ("one", {"interrupt_before": ["tools"]}, False),
    "waits before tools, two calls": ("two", {"interrupt_before": ["tools"]}, False),
    "waits after agent": ("one", {"interrupt_after": ["agent"]}, False),
    "waits after tools": ("one", {"interrupt_after": ["tools"]}, False),
    "interrupt() in a tool": ("ask", {}, False),
    "interrupt() in one of two tools": ("both", {}, False),
    "finished, new turn": ("one", {}, False),
    "async saver, waits before tools": ("one", {"interrupt_before": ["tools"]}, True),
    "pre_model_hook, waits before tools": ("one", {"pre_model_hook": same, "interrupt_before": ["tools"]}, False),
    "pre_model_hook, waits before it": (
        "one",
        {"pre_model_hook": same, "interrupt_before": ["pre_model_hook"]},
        False,
    ),
    "post_model_hook, waits before tools": (
        "one",
        {"post_model_hook": same, "interrupt_before": ["tools"]},
        False,
    ),
    "post_model_hook, waits after it": (
        "one",
        {"post_model_hook": same, "interrupt_after": ["post_model_hook"]},
        False,
    ),
    "response_format, waits before tools": (
        "one",
        {"response_format": SCHEMA, "interrupt_before": ["tools"]},
        False,
    ),
}
ENDINGS = {"one": "done: 3", "two": "done: 3, 7", "ask": "done: human said yes", "both": "done: 3, human said yes"}
