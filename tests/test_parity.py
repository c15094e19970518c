"""The parity checker: equal agents pass, and each kind of difference is found and shown."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_stream_writer
from langgraph.types import Command, interrupt

from agentkit import testing
from agentkit.testing import ParityError, ScriptedChatModel, call

# On Python 3.10 create_agent's async stream gives whole messages where the legacy agent gives chunks.
WAYS = ("sync", "async") if sys.version_info >= (3, 11) else ("sync",)
assert_parity = partial(testing.assert_parity, how=WAYS)


def add(a: int, b: int) -> int:
    """Add two numbers."""
    get_stream_writer()(f"adding {a}")
    return a + b


def ask(question: str) -> str:
    """Ask a person."""
    return str(interrupt({"question": question}))


def fail(reason: str) -> str:
    """Fail."""
    raise ValueError(reason)


HELLO = [{"messages": [("user", "hi")]}]


@pytest.fixture(autouse=True)
def _legacy_warns() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r".*create_react_agent.*")
        yield


def legacy(model: Any, tools: Any, **kwargs: Any) -> Any:
    prebuilt = pytest.importorskip("langgraph.prebuilt", reason="the legacy module is gone")
    return prebuilt.create_react_agent(model, tools, **kwargs)


def script(*turns: Any) -> Any:
    return lambda: ScriptedChatModel(script=list(turns))


def differs(old: Any, new: Any, inputs: Any = HELLO, **kwargs: Any) -> str:
    with pytest.raises(ParityError) as caught:
        assert_parity(old, new, inputs, **kwargs)
    return str(caught.value)


def test_a_legacy_agent_and_its_successor_are_equal() -> None:
    assert_parity(
        lambda m: legacy(m, [add], prompt="Be brief.", checkpointer=InMemorySaver()),
        lambda m: create_agent(m, [add], system_prompt="Be brief.", checkpointer=InMemorySaver()),
        [*HELLO, {"messages": [("user", "again")]}],
        model=script([call("add", a=1, b=2), call("add", a=3, b=4)], "done", call("add", a=5, b=6), "bye"),
    )


def test_a_pause_its_value_and_its_resume_are_compared() -> None:
    def new(question: str) -> Any:
        def ask(question: str) -> str:
            """Ask a person."""
            return str(interrupt({"question": question + mark}))

        mark = question
        return lambda m: create_agent(m, [ask], checkpointer=InMemorySaver())

    inputs = [*HELLO, Command(resume="yes")]
    turns = script(call("ask", question="ok?"), "done")
    assert_parity(lambda m: legacy(m, [ask], checkpointer=InMemorySaver()), new(""), inputs, model=turns)
    message = differs(lambda m: legacy(m, [ask], checkpointer=InMemorySaver()), new("!"), inputs, model=turns)
    assert "ok?!" in message
    assert "__interrupt__" in message


def test_exceptions_are_compared_by_type() -> None:
    turns = script(call("fail", reason="x"))
    assert_parity(lambda m: legacy(m, [fail]), lambda m: create_agent(m, [fail]), HELLO, model=turns)

    def fail_otherwise(reason: str) -> str:
        """Fail."""
        raise KeyError(reason)

    fail_otherwise.__name__ = "fail"
    message = differs(lambda m: legacy(m, [fail]), lambda m: create_agent(m, [fail_otherwise]), model=turns)
    assert "'ValueError'" in message
    assert "'KeyError'" in message


def test_another_system_prompt_is_seen_in_what_the_model_was_sent() -> None:
    message = differs(
        lambda m: legacy(m, [add], prompt="Be brief."),
        lambda m: create_agent(m, [add], system_prompt="Be long."),
        model=script("hi"),
    )
    assert "model[0] / messages[0] / content" in message
    assert "'Be brief.'" in message
    assert "'Be long.'" in message


@before_model
def extra(state: Any, runtime: Any) -> dict[str, Any] | None:
    return None


def test_a_node_more_is_a_difference() -> None:
    assert "extra.before_model" in differs(
        lambda m: legacy(m, [add]), lambda m: create_agent(m, [add], middleware=[extra]), model=script("hi")
    )


def test_a_node_of_another_name_is_a_difference_unless_it_is_mapped() -> None:
    def old(m: Any) -> Any:
        return legacy(m, [add], pre_model_hook=lambda state: {}, checkpointer=InMemorySaver())

    def new(m: Any) -> Any:
        return create_agent(m, [add], middleware=[hook], checkpointer=InMemorySaver())

    @before_model
    def hook(state: Any, runtime: Any) -> dict[str, Any]:
        return {}

    assert "pre_model_hook" in differs(old, new, model=script("hi"))
    mapped = {"agent": "model", "pre_model_hook": "hook.before_model"}
    assert_parity(old, new, HELLO, model=script("hi"), node_names=mapped)


def test_what_a_tool_writes_to_the_stream_is_compared() -> None:
    def quiet(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    quiet.__name__ = "add"
    message = differs(
        lambda m: legacy(m, [add]),
        lambda m: create_agent(m, [quiet]),
        model=script(call("add", a=1, b=2), "3"),
    )
    assert "adding 1" in message


def test_message_ids_and_the_order_of_parallel_tools_are_left_aside() -> None:
    turns = [[call("add", a=i, b=i) for i in range(6)], "done"]
    assert_parity(
        lambda m: legacy(m, [add]),
        lambda m: create_agent(m, [add]),
        HELLO,
        model=script(*turns),
        how=["sync"],
    )


async def test_in_a_running_event_loop_the_async_way_is_compared_too() -> None:
    def agent(prompt: str) -> Any:
        return lambda m: create_agent(m, [add], system_prompt=prompt)

    assert_parity(agent("a"), agent("a"), HELLO, model=script("hi"))
    assert "input 0 (async)" in differs(agent("a"), agent("b"), model=script("hi"), how=["async"])
