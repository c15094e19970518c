"""The private middleware that carry what create_agent has no argument for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import BaseMessage
from langchain_core.prompt_values import PromptValue
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool
from langgraph.config import get_config
from pydantic import BaseModel

from agentkit.prebuilt._models import bind_tools, get_prompt_runnable, is_async, prompt_input

SYNC_CALL_OF_ASYNC_MODEL = (
    "Async model callable provided but agent invoked synchronously. "
    "Use agent.ainvoke() or agent.astream(), or provide a sync model callable."
)


class Slot(AgentMiddleware[Any, Any]):
    """Reserves the place of a legacy node in create_agent's wiring.

    create_agent decides where the node's edges go; `_graph` then puts the user's own runnable there,
    so that a hook gets what a node gets (its schema, config, store, writer) and not only a state.
    """

    tools: Sequence[BaseTool] = ()

    def __init__(self, name: str, state_schema: type) -> None:
        super().__init__()
        self._name = name
        self.state_schema = state_schema

    @property
    def name(self) -> str:
        """The legacy name of the node."""
        return self._name


class BeforeModelSlot(Slot):
    """The place of `pre_model_hook`."""

    def before_model(self, state: Any, runtime: Any) -> None:
        """Never runs: the graph is rebuilt with the hook itself."""


class AfterModelSlot(Slot):
    """The place of `post_model_hook`."""

    def after_model(self, state: Any, runtime: Any) -> None:
        """Never runs: the graph is rebuilt with the hook itself."""


class AfterAgentSlot(Slot):
    """The place of `generate_structured_response`."""

    def after_agent(self, state: Any, runtime: Any) -> None:
        """Never runs: the graph is rebuilt with the node itself."""


class LegacyModelCall(AgentMiddleware[Any, Any]):
    """Calls the legacy `model=` and `prompt=` in the place of create_agent's own model call.

    It is innermost, so user middleware sees and can change the request before it.

    Args:
        model: The runnable, or the function that returns one per call.
        chat_model: What create_agent was given as the model; a request with another one was overridden.
        prompt: A legacy prompt that depends on the state; None where `system_prompt` holds it.
        state_schema: The schema of this middleware's state.
        user_schema: The class the user's functions expect the state to be.
    """

    tools: Sequence[BaseTool] = ()

    def __init__(
        self,
        model: Any,
        chat_model: Any,
        *,
        prompt: Any,
        state_schema: type,
        user_schema: type,
    ) -> None:
        super().__init__()
        self.model = model
        self.chat_model = chat_model
        self.prompt = None if prompt is None else get_prompt_runnable(prompt)
        self.state_schema = state_schema
        self.user_schema = user_schema
        self.dynamic = not isinstance(model, Runnable)
        self.offered: list[Any] = []

    def offer(self, tools: Sequence[Any], *, binds: bool) -> None:
        """Say which tools create_agent offers by default, and bind them where the user did not."""
        self.offered = list(tools)
        if binds:
            self.model = bind_tools(self.model, self.offered)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Run prompt and model on the legacy state."""
        if self.dynamic and is_async(self.model):
            raise RuntimeError(SYNC_CALL_OF_ASYNC_MODEL)
        state = self._state(request)
        given = prompt_input(self.prompt, state)
        made = request.messages if self.prompt is None else self.prompt.invoke(given, get_config())
        messages = _as_messages(made, request)
        if self._is_overridden(request):
            return handler(request.override(messages=cast("Any", messages), system_message=None))
        model = checked(self.model(state, request.runtime)) if self.dynamic else self.model
        return _response(self._prepared(model, request).invoke(messages, get_config()))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Run prompt and model on the legacy state."""
        state = self._state(request)
        given = prompt_input(self.prompt, state)
        made = request.messages if self.prompt is None else await self.prompt.ainvoke(given, get_config())
        messages = _as_messages(made, request)
        if self._is_overridden(request):
            return await handler(request.override(messages=cast("Any", messages), system_message=None))
        model = await resolve(self.model, state, request.runtime) if self.dynamic else self.model
        return _response(await self._prepared(model, request).ainvoke(messages, get_config()))

    def _state(self, request: ModelRequest[Any]) -> Any:
        """The state as the user's functions know it, holding the request's messages."""
        state = {**cast("dict[str, Any]", request.state), "messages": request.messages}
        return as_user_state(self.user_schema, state)

    def _is_overridden(self, request: ModelRequest[Any]) -> bool:
        return request.model is not self.chat_model

    def _prepared(self, model: Any, request: ModelRequest[Any]) -> Runnable[Any, Any]:
        """Apply what user middleware changed in the request to the model as the user bound it."""
        settings = dict(request.model_settings)
        if request.tool_choice is not None:
            settings["tool_choice"] = request.tool_choice
        if not same_tools(request.tools, self.offered):
            return bind_tools(model, request.tools, **settings) if request.tools else model.bind(**settings)
        return cast("Runnable[Any, Any]", model.bind(**settings) if settings else model)


async def resolve(model: Any, state: Any, runtime: Any) -> Any:
    """Call a model function, sync or async."""
    return checked(await model(state, runtime) if is_async(model) else model(state, runtime))


def checked(model: Any) -> Runnable[Any, Any]:
    """Take what a model function returned; a plain function counts as a runnable, as it did upstream.

    Raises:
        TypeError: If it is neither.
    """
    if isinstance(model, Runnable):
        return model
    if callable(model):
        return RunnableLambda(model)
    raise TypeError(
        f"The function given as `model=` returned {type(model).__name__}: {model!r}. "
        "Return a chat model, or a runnable around one, with its tools bound."
    )


def as_user_state(schema: type, state: dict[str, Any]) -> Any:
    """Make the state an instance of the user's pydantic class, or leave it the dict it is.

    Raises:
        pydantic.ValidationError: If the state does not fit the class.
    """
    if not issubclass(schema, BaseModel):
        return state
    # The class may forbid what it does not declare: fields of middleware, a hook's llm_input_messages.
    return schema(**{name: value for name, value in state.items() if name in schema.model_fields})


def same_tools(given: Sequence[Any], default: Sequence[Any]) -> bool:
    """Whether two lists hold the very same tools."""
    return len(given) == len(default) and all(a is b for a, b in zip(given, default, strict=True))


def _as_messages(model_input: Any, request: ModelRequest[Any]) -> Any:
    """Put a system message that middleware set in front of what the prompt made."""
    if request.system_message is None:
        return model_input
    if isinstance(model_input, PromptValue):
        model_input = model_input.to_messages()
    return [request.system_message, *model_input]


def _response(message: Any) -> ModelResponse[Any]:
    if not isinstance(message, BaseMessage):
        raise TypeError(
            f"The model returned {type(message).__name__}, not a message: {message!r}. "
            "A sequence given as `model=` must end in a chat model or in a step that returns a message."
        )
    return ModelResponse(result=[message])
