"""`create_react_agent` with the behaviour it had, built by `langchain.agents.create_agent`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models import BaseChatModel, LanguageModelInput, LanguageModelLike
from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt.tool_node import ToolNode
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from langgraph.typing import ContextT

from agentkit._deprecation import called_by_import_system, warn_move
from agentkit.middleware._policy import InterruptOn
from agentkit.prebuilt import _graph, _historical, _schemas
from agentkit.prebuilt._agent_node import validate_chat_history as _validate_chat_history
from agentkit.prebuilt._build import build
from agentkit.prebuilt._models import get_model as _get_model
from agentkit.prebuilt._models import should_bind_tools as _should_bind_tools
from agentkit.prebuilt._prompts import get_prompt_runnable as _get_prompt_runnable
from agentkit.prebuilt._schemas import (
    PROMPT_RUNNABLE_NAME,
    Prompt,
    StateSchema,
    StateSchemaType,
    StructuredResponse,
    StructuredResponseSchema,
)

if TYPE_CHECKING:
    from agentkit.permissions import FileRules, FilesystemPermission
    from agentkit.prebuilt._schemas import (
        AgentState,
        AgentStatePydantic,
        AgentStateWithStructuredResponse,
        AgentStateWithStructuredResponsePydantic,
    )

__all__ = [
    "AgentState",
    "AgentStatePydantic",
    "AgentStateWithStructuredResponse",
    "AgentStateWithStructuredResponsePydantic",
    "create_react_agent",
    "create_tool_calling_executor",
]

# Names that dependents import from here, though they are in no `__all__`.
_DEPENDED_ON = (
    PROMPT_RUNNABLE_NAME,
    Prompt,
    StateSchema,
    StateSchemaType,
    StructuredResponse,
    StructuredResponseSchema,
    _get_model,
    _get_prompt_runnable,
    _should_bind_tools,
    _validate_chat_history,
)


def create_react_agent(
    model: str
    | LanguageModelLike
    | Callable[[StateSchema, Runtime[ContextT]], BaseChatModel]
    | Callable[[StateSchema, Runtime[ContextT]], Awaitable[BaseChatModel]]
    | Callable[[StateSchema, Runtime[ContextT]], Runnable[LanguageModelInput, BaseMessage]]
    | Callable[[StateSchema, Runtime[ContextT]], Awaitable[Runnable[LanguageModelInput, BaseMessage]]],
    tools: Sequence[BaseTool | Callable[..., Any] | dict[str, Any]] | ToolNode,
    *,
    prompt: Prompt[Any] | None = None,
    response_format: StructuredResponseSchema | tuple[str, StructuredResponseSchema] | None = None,
    pre_model_hook: Any | None = None,
    post_model_hook: Any | None = None,
    state_schema: type[Any] | None = None,
    context_schema: type[Any] | None = None,
    checkpointer: bool | BaseCheckpointSaver[Any] | None = None,
    store: BaseStore | None = None,
    interrupt_before: list[str] | None = None,
    interrupt_after: list[str] | None = None,
    debug: bool = False,
    version: Literal["v1", "v2"] = "v2",
    name: str | None = None,
    middleware: Sequence[AgentMiddleware[Any, Any]] = (),
    interrupt_on: InterruptOn | None = None,
    permissions: FileRules | Sequence[FilesystemPermission] | None = None,
    handle_tool_errors: Any = None,
    **deprecated_kwargs: Any,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build an agent that calls tools until its model no longer asks for any.

    Replaces `langgraph.prebuilt.create_react_agent`, with the same arguments, results, node names
    (`agent`, `tools`, `pre_model_hook`, `post_model_hook`, `generate_structured_response`), stream keys and
    stored threads. The graph is built by `langchain.agents.create_agent`; the README lists where the
    behaviour differs on purpose. New are `middleware`,
    `interrupt_on`, `permissions` and `handle_tool_errors`.

    Args:
        model: `"provider:name"`, a chat model, any runnable around one (`bind_tools`, `bind`,
            `with_config`, `with_retry`, `with_fallbacks`, a sequence), or a function or coroutine of
            `(state, runtime)` that returns one of these, with its tools bound.
        tools: Tools, plain functions and provider tools (dicts), or a `ToolNode`, which then runs them
            itself. An empty list makes an agent without a tools node.
        prompt: A string or `SystemMessage` put before the messages; or a function, coroutine or runnable
            from the state to the model's input. Defaults to None.
        response_format: A schema (pydantic class, TypedDict, JSON schema) for one more model call after
            the loop, or `(prompt, schema)`; the answer is in `structured_response`. Defaults to None.
        pre_model_hook: A node that runs before each model call. What it returns as
            `llm_input_messages` is sent to the model in the place of the messages, also when it is an
            empty list. Defaults to None.
        post_model_hook: A node that runs after each model call. Defaults to None.
        state_schema: A TypedDict or pydantic class with `messages` and `remaining_steps` (and
            `structured_response` with a response format). Defaults to `AgentState`.
        context_schema: The schema of the run's context. Defaults to None.
        checkpointer: Where threads are stored. Defaults to None.
        store: A store that is shared by threads. Defaults to None.
        interrupt_before: Nodes to pause before, by their legacy names. Defaults to None.
        interrupt_after: Nodes to pause after, by their legacy names. Defaults to None.
        debug: Whether to print each step. Defaults to False.
        version: `"v2"`: one task per tool call; `"v1"`: one task for all calls of a message. Defaults to `"v2"`.
        name: The agent's name, which each of its messages carries. Defaults to None.
        middleware: Middleware of `create_agent`. Its hooks run around the legacy ones, which stay nearest
            to the model. Defaults to `()`.
        interrupt_on: Which tools need a person's approval: tool name or pattern to `True`, `False` or a
            config, as for `agentkit.middleware.HumanInTheLoopMiddleware`. Defaults to None.
        permissions: Which paths the tools may read and write, and which need a person: rules, or a
            `FileRules`. Defaults to None.
        handle_tool_errors: What becomes of an exception in a tool, as for `ToolNode`. By default only
            wrong arguments are answered and what a tool raises is raised; `True` answers everything with
            an error message, as langgraph-prebuilt did before 1.0.2.
        **deprecated_kwargs: `messages_modifier`, `state_modifier` and `config_schema`, which say what
            `prompt` and `context_schema` say.

    Returns:
        The compiled graph.

    Raises:
        TypeError: If an argument is unknown, or a runnable holds no chat model where one is needed.
        ValueError: If the version is unknown, the schema lacks a key, two arguments say the same thing,
            the bound tools are not the agent's, `handle_tool_errors` is given beside a `ToolNode`, or a gate
            or rule would not gate what it says.

    Example:
        ```python
        from agentkit.prebuilt import create_react_agent

        def add(a: int, b: int) -> int:
            "Add two numbers."
            return a + b

        agent = create_react_agent("openai:gpt-5.5", [add], prompt="You add numbers.")
        agent.invoke({"messages": [("user", "1 + 2?")]})
        ```
    """
    given = {**locals(), "old": dict(deprecated_kwargs)}
    _historical.warn_create_react_agent(given)
    prompt = _historical.take_prompt(prompt, deprecated_kwargs)
    context_schema = _historical.take_context_schema(context_schema, deprecated_kwargs)
    if deprecated_kwargs:
        raise TypeError(f"create_react_agent() got unexpected keyword arguments: {deprecated_kwargs}")
    return build(
        model=model,
        tools=tools,
        prompt=prompt,
        response_format=response_format,
        hooks={_graph.PRE_HOOK: pre_model_hook, _graph.POST_HOOK: post_model_hook},
        state_schema=state_schema,
        context_schema=context_schema,
        version=version,
        name=name,
        middleware=middleware,
        interrupt_on=interrupt_on,
        permissions=permissions,
        handle_tool_errors=handle_tool_errors,
        compile_args={
            "checkpointer": checkpointer,
            "store": store,
            "interrupt_before": interrupt_before,
            "interrupt_after": interrupt_after,
            "debug": debug,
            "name": name,
        },
    )


create_tool_calling_executor = create_react_agent


def __getattr__(name: str) -> Any:
    if name not in _schemas.STATES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _schemas.WARN_ON_IMPORT and not called_by_import_system():
        warn_move(name)
    return getattr(_schemas, name)
