"""What agentkit's tool nodes inject, by annotation alone, wherever the node came from."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.prebuilt.tool_node import ToolNode as UpstreamToolNode
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from pydantic import BaseModel

from agentkit.prebuilt import InjectedState, InjectedStore, ToolRuntime, create_react_agent
from agentkit.testing import ScriptedChatModel, call
from agentkit.tools import InjectedToolCallId, ToolNode, tool
from tests.agent_kinds import GO, answers, each_agent
from tests.ways import both_ways

if TYPE_CHECKING:
    from decimal import Decimal

QueryModel = Annotated[str, "a query"]


class Query(BaseModel):
    q: str


def run(kind: Any, way: Any, tools: Any, name: str, **args: Any) -> str:
    agent, _ = kind.build([call(name, **args), "ok"], tools, store=InMemoryStore())
    (answer,) = answers(way.invoke(agent, GO))
    assert answer.status == "success"
    return str(answer.content)


def film(title: str, runtime: int) -> str:
    """Note a film's running time in minutes."""
    return f"{title}: {runtime} min"


@both_ways
@each_agent
@pytest.mark.parametrize("wrap", [list, ToolNode, UpstreamToolNode], ids=["list", "node", "upstream"])
def test_a_parameter_called_runtime_is_the_models(kind: Any, way: Any, wrap: Any) -> None:
    assert run(kind, way, wrap([film]), "film", title="Jaws", runtime=124) == "Jaws: 124 min"


class Search(BaseTool):
    name: str = "search"
    description: str = "Search."
    args_schema: type[BaseModel] = Query

    def _run(
        self,
        q: str,
        context: ToolRuntime,
        values: Annotated[dict, InjectedState],
        shelf: Annotated[BaseStore, InjectedStore()],
        me: Annotated[str, InjectedToolCallId],
    ) -> str:
        return f"{q} {len(context.state['messages'])} {len(values['messages'])} {type(shelf).__name__} {me}"


class AsyncSearch(Search):
    async def _arun(self, q: str, mine: ToolRuntime) -> str:  # type: ignore[override]
        return f"{q} {mine.tool_call_id} async"


@both_ways
@each_agent
def test_a_subclass_of_base_tool_is_given_what_its_run_asks_for(kind: Any, way: Any) -> None:
    assert run(kind, way, [Search()], "search", q="a") == "a 2 2 InMemoryStore call_0_0"


@each_agent
def test_run_and_arun_are_each_given_their_own(kind: Any) -> None:
    from tests.ways import Async, Sync

    assert run(kind, Sync, [AsyncSearch()], "search", q="a").startswith("a 2 2 InMemoryStore")
    assert run(kind, Async, [AsyncSearch()], "search", q="a") == "a call_0_0 async"


def test_what_a_subclass_is_given_is_hidden_from_the_model_and_cannot_be_forged() -> None:
    model = ScriptedChatModel(script=[call("search", q="a", me="forged", values={"messages": []}), "ok"])
    agent = create_react_agent(model, [Search()], store=InMemoryStore())
    assert answers(agent.invoke(GO))[0].content == "a 2 2 InMemoryStore call_0_0"
    assert set(Search().args) == {"q"}


@both_ways
@each_agent
def test_func_and_coroutine_are_each_given_their_own(kind: Any, way: Any) -> None:
    def find(q: str, state: Annotated[dict, InjectedState]) -> str:
        return f"{q} sync {len(state['messages'])}"

    async def afind(q: str, runtime: ToolRuntime) -> str:
        return f"{q} async {runtime.tool_call_id}"

    both = StructuredTool(name="find", description="Find.", args_schema=Query, func=find, coroutine=afind)
    expected = {"sync": "a sync 2", "async": "a async call_0_0"}
    assert run(kind, way, [both], "find", q="a") == expected[way.name]


def top(q: str, k: int, state: Annotated[dict, InjectedState]) -> str:
    """Search."""
    return f"{q}, top {k} of {len(state['messages'])}"


class Finder:
    """Find."""

    def __call__(self, q: str, runtime: ToolRuntime) -> str:
        return f"{q} {runtime.tool_call_id}"


class AsyncFinder:
    """Find."""

    async def __call__(self, q: str, runtime: ToolRuntime) -> str:
        return f"{q} {runtime.tool_call_id}"


@both_ways
@each_agent
@pytest.mark.parametrize("wrap", [list, ToolNode], ids=["list", "node"])
def test_partials_and_callable_objects_are_tools(kind: Any, way: Any, wrap: Any) -> None:
    find = StructuredTool(name="find", description="Find.", args_schema=Query, func=partial(top, k=3))
    assert run(kind, way, wrap([find]), "find", q="a") == "a, top 3 of 2"
    found = StructuredTool(name="found", description="Find.", args_schema=Query, func=Finder())
    assert run(kind, way, wrap([found]), "found", q="a") == "a call_0_0"
    assert run(kind, way, wrap([partial(top, k=3)]), "top", q="a") == "a, top 3 of 2"
    assert run(kind, way, wrap([Finder()]), "Finder", q="a") == "a call_0_0"


@each_agent
def test_an_async_callable_object_is_a_tool(kind: Any) -> None:
    from tests.ways import Async

    assert run(kind, Async, [AsyncFinder()], "AsyncFinder", q="a") == "a call_0_0"


@tool(args_schema=Query)
def price(q: str, runtime: ToolRuntime) -> Decimal:
    """Price."""
    return f"9.99 {runtime.tool_call_id}"  # type: ignore[return-value]


@both_ways
@each_agent
def test_a_hint_that_cannot_be_resolved_stands_alone(kind: Any, way: Any) -> None:
    assert run(kind, way, [price], "price", q="a") == "9.99 call_0_0"


def test_a_parameter_that_nothing_fills_in_is_named() -> None:
    def cost(q: str, rate: Decimal = 2) -> str:  # type: ignore[assignment]
        return f"{q} {rate}"

    costs = StructuredTool(name="costs", description="Cost.", args_schema=Query, func=cost)
    with pytest.warns(UserWarning, match="'Decimal' of parameter 'rate' of tool 'costs' can't be resolved"):
        node = ToolNode([costs])
    call_ = {"name": "costs", "args": {"q": "a"}, "id": "1", "type": "tool_call"}
    assert node.invoke([call_])["messages"][0].content == "a 2"
    assert costs.func is cost  # the caller's tool is not changed
