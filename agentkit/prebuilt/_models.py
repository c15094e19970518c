"""The legacy `model=`, resolved once, and the two ways in which the agent calls it.

As `LegacyModelCall` in the loop, and as the node of `response_format`.
"""

from __future__ import annotations

import operator
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, SystemMessage
from langchain_core.prompt_values import PromptValue
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda, RunnableSequence
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.config import run_in_executor
from langchain_core.runnables.fallbacks import RunnableWithFallbacks
from langchain_core.tools import BaseTool
from langgraph.config import get_config
from langgraph.runtime import Runtime

from agentkit._upstream import RunnableCallable, config_in_context
from agentkit.prebuilt._prompts import get_prompt_runnable, is_async, prompt_input
from agentkit.prebuilt._schemas import AgentInput, as_user_state, state_value, with_messages

Model = Runnable[Any, Any]

# The steps of a sequence in which the chat model may be.
_HOLDS_MODEL = (BaseChatModel, RunnableBindingBase, RunnableWithFallbacks)


@dataclass
class LegacyModel:
    """The `model=` of create_react_agent.

    Attributes:
        runnable: The model as the user gave it, or None where a function returns one per call.
        function: That function or coroutine of `(state, runtime)`, or None.
        binds: Whether the agent's tools are still to be bound.
    """

    runnable: Model | None
    function: Callable[..., Any] | None
    binds: bool

    @classmethod
    def resolve(cls, model: Any, tools: Sequence[BaseTool], builtin: Sequence[Any]) -> LegacyModel:
        """Tell what was given.

        Args:
            model: `"provider:name"`, a runnable, or a function that returns one.
            tools: The agent's tools.
            builtin: The provider's own tools among them, as dicts.

        Raises:
            TypeError: If it is none of these.
            ValueError: If other tools are bound than the agent has.
        """
        if isinstance(model, str):
            model = init_chat_model(model)
        if isinstance(model, Runnable):
            unbound = should_bind_tools(model, tools, num_builtin=len(builtin))
            return cls(model, None, binds=unbound and bool(tools or builtin))
        if callable(model):
            return cls(None, model, binds=False)
        raise TypeError(
            f'`model` was given {type(model).__name__}: {model!r}. Give "provider:name", a chat model, '
            "a runnable around one, or a function of (state, runtime)."
        )

    @property
    def chat_model(self) -> Any:
        """What create_agent is told is its model: the innermost one, or the function."""
        return self.function if self.runnable is None else list(layers(self.runnable))[-1]

    def refuse_sync(self) -> None:
        """Refuse a sync call of an async function.

        Raises:
            RuntimeError: If the model is one.
        """
        if self.runnable is None and is_async(self.function):
            raise RuntimeError(
                "Async model callable provided but agent invoked synchronously. "
                "Use agent.ainvoke() or agent.astream(), or provide a sync model callable."
            )

    def choose(self, state: Any, runtime: Any) -> Model:
        """The model for this call.

        Raises:
            RuntimeError: If an async function would have to be awaited.
            TypeError: If the function returned no model.
        """
        if self.runnable is not None:
            return self.runnable
        self.refuse_sync()
        return _chosen(cast("Any", self.function)(state, runtime))

    async def achoose(self, state: Any, runtime: Any) -> Model:
        """The model for this call, from a function of either kind."""
        if self.runnable is not None:
            return self.runnable
        function: Any = self.function
        if is_async(function):
            return _chosen(await function(state, runtime))
        return _chosen(await run_in_executor(None, function, state, runtime))


def _chosen(model: Any) -> Model:
    """Take what a model function returned; a plain function counts as a runnable, as it did upstream."""
    if isinstance(model, Runnable):
        return model
    if callable(model):
        return RunnableLambda(model)
    raise TypeError(
        f"The function given as `model=` returned {type(model).__name__}: {model!r}. "
        "Return a chat model, or a runnable around one, with its tools bound."
    )


class LegacyModelCall(AgentMiddleware[Any, Any]):
    """Calls the legacy `prompt | model` in the place of create_agent's own model call.

    It is innermost, so user middleware sees and can change the request before it.

    Args:
        model: The model.
        prompt: The prompt in any form. The system message of one that is text is `system_message`.
        state_schema: The schema of this middleware's state.
        user_schema: The class the user's functions expect the state to be.
    """

    tools: Sequence[BaseTool] = ()

    def __init__(self, model: LegacyModel, *, prompt: Any, state_schema: type, user_schema: type) -> None:
        super().__init__()
        self.model = model
        self.chat_model = model.chat_model
        self.system_message = SystemMessage(prompt) if isinstance(prompt, str) else prompt
        if not isinstance(self.system_message, SystemMessage):
            self.system_message = None
        self.own_prompt = None if self.system_message else prompt
        self.prompt = get_prompt_runnable(self.system_message or prompt)
        self.state_schema = state_schema
        self.user_schema = user_schema
        self.offered: list[Any] = []
        self.sequence: Model | None = None

    def offer(self, tools: Sequence[Any]) -> None:
        """Say which tools create_agent offers by default, and bind them where the user did not."""
        self.offered = list(tools)
        if self.model.binds:
            self.model.runnable, self.model.binds = bind_tools(self.model.runnable, self.offered), False
        if self.model.runnable is not None:
            self.sequence = self.prompt | self.model.runnable

    def invoke(self, state: Any, config: RunnableConfig, runtime: Any) -> BaseMessage:
        """Run prompt and model on the legacy state, without middleware."""
        sequence = self.sequence or self.prompt | self.model.choose(state, runtime)
        return _answer(sequence.invoke(prompt_input(self.prompt, state), config))

    async def ainvoke(self, state: Any, config: RunnableConfig, runtime: Any) -> BaseMessage:
        """Run prompt and model on the legacy state, without middleware."""
        sequence = self.sequence or self.prompt | await self.model.achoose(state, runtime)
        return _answer(await sequence.ainvoke(prompt_input(self.prompt, state), config))

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Run prompt and model on the legacy state."""
        state, config = self._given(request)
        if self._is_overridden(request):
            made = self._prompt(request).invoke(prompt_input(self.prompt, state), config)
            return handler(request.override(messages=_as_messages(made), system_message=None))
        sequence = self._sequence(self.model.choose(state, request.runtime), request)
        return ModelResponse(result=[_answer(sequence.invoke(prompt_input(self.prompt, state), config))])

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Run prompt and model on the legacy state."""
        state, config = self._given(request)
        if self._is_overridden(request):
            made = await self._prompt(request).ainvoke(prompt_input(self.prompt, state), config)
            return await handler(request.override(messages=_as_messages(made), system_message=None))
        sequence = self._sequence(await self.model.achoose(state, request.runtime), request)
        return ModelResponse(result=[_answer(await sequence.ainvoke(prompt_input(self.prompt, state), config))])

    def _given(self, request: ModelRequest[Any]) -> tuple[Any, RunnableConfig]:
        """The state as the user's functions know it, holding the request's messages, and the config to run with."""
        given: Any = request.state
        if not isinstance(given, AgentInput):  # middleware has put another state in its place
            return as_user_state(self.user_schema, {**given, "messages": request.messages}), get_config()
        if _same_items(request.messages, given["messages"]):
            return given.user_state, given.config
        return with_messages(given.user_state, request.messages), given.config

    def _is_overridden(self, request: ModelRequest[Any]) -> bool:
        return request.model is not self.chat_model

    def _sequence(self, model: Model, request: ModelRequest[Any]) -> Model:
        """Apply what user middleware changed in the request to the prompt and to the model as the user bound it."""
        settings = dict(request.model_settings)
        if request.tool_choice is not None:
            settings["tool_choice"] = request.tool_choice
        if not _same_items(request.tools, self.offered):
            if request.tools:
                return self._prompt(request) | bind_tools(model, request.tools, **settings)
            model = without_tools(model)
        if settings:
            model = model.bind(**settings)
        if model is self.model.runnable and request.system_message is self.system_message:
            return cast("Model", self.sequence)
        return self._prompt(request) | model

    def _prompt(self, request: ModelRequest[Any]) -> Model:
        """The prompt, with the system message that middleware set."""
        system = request.system_message
        if system is self.system_message:
            return self.prompt
        if self.own_prompt is None or system is None:
            return get_prompt_runnable(system)
        return self.prompt | RunnableLambda(lambda made: [system, *_as_messages(made)], name="system_message")


def _same_items(given: Sequence[Any], default: Sequence[Any]) -> bool:
    """Whether two lists hold the very same items."""
    return len(given) == len(default) and all(map(operator.is_, given, default))


def _as_messages(model_input: Any) -> Any:
    return model_input.to_messages() if isinstance(model_input, PromptValue) else model_input


def _answer(message: Any) -> BaseMessage:
    if not isinstance(message, BaseMessage):
        raise TypeError(
            f"The model returned {type(message).__name__}, not a message: {message!r}. "
            "A sequence given as `model=` must end in a chat model or in a step that returns a message."
        )
    return message


def structured_response_node(model: LegacyModel, response_format: Any) -> RunnableCallable:
    """Make the node that fills `structured_response`, by one separate call after the loop.

    Args:
        model: The agent's model.
        response_format: The schema, or `(prompt, schema)`.

    Returns:
        The node.
    """
    system, schema = response_format if isinstance(response_format, tuple) else (None, response_format)

    def messages_of(state: Any) -> list[Any]:
        messages = list(state_value(state, "messages"))
        return messages if system is None else [SystemMessage(system), *messages]

    def generate_structured_response(state: Any, runtime: Runtime[Any], config: RunnableConfig) -> Any:
        chosen = model.choose(state, runtime)
        return {"structured_response": _structured(chosen, schema).invoke(messages_of(state), config)}

    async def agenerate_structured_response(state: Any, runtime: Runtime[Any], config: RunnableConfig) -> Any:
        with config_in_context(config):
            chosen = await model.achoose(state, runtime)
            answer = await _structured(chosen, schema).ainvoke(messages_of(state), config)
        return {"structured_response": answer}

    return RunnableCallable(generate_structured_response, agenerate_structured_response)


def _structured(model: Any, schema: Any) -> Model:
    if isinstance(model, RunnableWithFallbacks):
        # Each model of the chain is asked in turn, as it is for the agent's own answers.
        return model.model_copy(
            update={
                "runnable": _structured(model.runnable, schema),
                "fallbacks": [_structured(fallback, schema) for fallback in model.fallbacks],
            }
        )
    return get_model(model).with_structured_output(schema)


# --- what is inside a runnable ---


def layers(model: Any) -> Iterator[Any]:
    """Walk from a runnable to the chat model inside it, through bindings, retries and sequences."""
    inner: Any = model
    while inner is not None:
        model = inner
        yield model
        if isinstance(model, RunnableSequence):
            inner = next((step for step in model.steps if isinstance(step, _HOLDS_MODEL)), None)
        elif isinstance(model, RunnableWithFallbacks):
            inner = model.runnable
        else:
            inner = getattr(model, "bound", None)


def get_model(model: Any) -> BaseChatModel:
    """Find the chat model inside a runnable.

    Raises:
        TypeError: If there is none.
    """
    innermost = list(layers(model))[-1]
    if not isinstance(innermost, BaseChatModel):
        raise TypeError(
            f"Expected `model` to be a ChatModel or RunnableBinding (e.g. model.bind_tools(...)), got {type(model)}"
        )
    return innermost


def should_bind_tools(model: Any, tools: Sequence[BaseTool], num_builtin: int = 0) -> bool:
    """Tell whether tools are still to be bound.

    Raises:
        ValueError: If other tools are bound than the agent has.
    """
    bound = next(
        (layer.kwargs["tools"] for layer in layers(model) if "tools" in (getattr(layer, "kwargs", None) or {})),
        None,
    )
    if bound is None:
        return True
    if len(tools) != len(bound) - num_builtin:
        raise ValueError(
            "Number of tools in the model.bind_tools() and tools passed to create_react_agent must match"
            f" Got {len(tools)} tools, expected {len(bound) - num_builtin}"
        )
    # OpenAI writes {"type": "function", "function": {"name": ...}}, Anthropic {"name": ...}.
    names = {(tool.get("function") or tool).get("name") for tool in bound}
    if missing := {tool.name for tool in tools} - names:
        raise ValueError(f"Missing tools '{missing}' in the model.bind_tools()")
    return False


# What providers' `bind_tools` bind beside `tools`, which they refuse without tools.
_OF_TOOLS = frozenset({"tools", "tool_choice", "parallel_tool_calls", "tool_config", "functions", "function_call"})


def without_tools(model: Any) -> Model:
    """Take what `bind_tools` bound off the chat model inside a runnable, and keep everything else."""
    if isinstance(model, RunnableSequence):
        return RunnableSequence(*(without_tools(step) for step in model.steps), name=model.name)
    if isinstance(model, RunnableWithFallbacks):
        fallbacks = [without_tools(fallback) for fallback in model.fallbacks]
        return model.model_copy(update={"runnable": without_tools(model.runnable), "fallbacks": fallbacks})
    if isinstance(model, RunnableBindingBase):
        kept = {key: value for key, value in model.kwargs.items() if key not in _OF_TOOLS}
        return model.model_copy(update={"bound": without_tools(model.bound), "kwargs": kept})
    return cast("Model", model)


def bind_tools(model: Any, tools: Sequence[Any], **settings: Any) -> Model:
    """Bind tools to the chat model inside a runnable and keep everything bound around it.

    `RunnableBinding.bind_tools` alone forwards to the chat model and loses the binding.
    """
    if isinstance(model, RunnableSequence):
        target = next(step for step in model.steps if isinstance(step, _HOLDS_MODEL))
        steps = [bind_tools(step, tools, **settings) if step is target else step for step in model.steps]
        return RunnableSequence(*steps, name=model.name)
    if isinstance(model, RunnableWithFallbacks):
        return model.model_copy(
            update={
                "runnable": bind_tools(model.runnable, tools, **settings),
                "fallbacks": [bind_tools(fallback, tools, **settings) for fallback in model.fallbacks],
            }
        )
    if hasattr(model, "bound"):
        kept = {key: value for key, value in model.kwargs.items() if key != "tools" and key not in settings}
        bound = bind_tools(model.bound, tools, **settings)
        return cast("Model", model.model_copy(update={"bound": bound, "kwargs": kept}))
    return cast("Model", model.bind_tools(tools, **settings))
