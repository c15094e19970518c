"""A chat model that answers from a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCall, ToolMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, Field, PrivateAttr

Turn = str | AIMessage | ToolCall | Sequence[ToolCall] | Callable[[list[BaseMessage]], Any] | Exception


def call(tool: str, /, id: str | None = None, **args: Any) -> ToolCall:
    """Write one tool call of a script.

    Args:
        tool: The tool's name.
        id: The call's id. Without one, the model numbers it by turn and place.
        **args: The arguments of the call.

    Returns:
        The tool call, for use as a turn of `ScriptedChatModel` or in a list of parallel calls.

    Example:
        ```python
        ScriptedChatModel(script=[[call("add", a=1, b=2), call("add", a=3, b=4)], "done"])
        ```
    """
    return ToolCall(name=tool, args=args, id=id, type="tool_call")


@dataclass
class ModelCall:
    """What one call to the model was given.

    Attributes:
        messages: The messages sent.
        tools: The names of the bound tools.
        kwargs: Everything else that was bound or passed (`tool_choice`, `temperature`, ...).
        schema: The schema of a structured-output call, else None.
        tags: The tags of the run.
    """

    messages: list[BaseMessage]
    tools: list[str] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)
    schema: Any = None
    tags: list[str] = field(default_factory=list)


class ScriptedChatModel(BaseChatModel):
    """A real chat model whose answers are written down.

    The answer is chosen by how many AI messages the model is sent, never by a counter, so the same
    conversation gets the same answer, with the same id, after a resume, in a new process and under parallel calls. Past
    the end of the script the model answers `"done: "` and the tool results that the history ends in.

    It streams text word by word and tool calls in chunks, sync and async, binds tools as provider
    models do, and implements `with_structured_output`. It replaces the fake models of langchain-core,
    none of which can be given tools.

    Args:
        script: The turns: a text, a tool call (see `call`), a list of parallel tool calls, a whole
            `AIMessage`, an exception to raise, or a function of the messages that returns any of these.
        structured: The answer of `with_structured_output`: a dict or instance of the schema, or a
            function of the messages.
        calls: Filled by the model: one `ModelCall` for each call it got, shared by everything bound
            from it.

    Example:
        ```python
        model = ScriptedChatModel(script=[call("add", a=1, b=2), "The sum is 3."])
        agent = create_agent(model, [add])
        agent.invoke({"messages": [("user", "1 + 2?")]})
        assert model.calls[0].tools == ["add"]
        ```
    """

    script: list[Any] = Field(default_factory=list)
    structured: Any = None
    model_name: str = "scripted"
    _calls: list[ModelCall] = PrivateAttr(default_factory=list)

    @property
    def calls(self) -> list[ModelCall]:
        """What each call was given, oldest first."""
        return self._calls

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools the way provider models do: as `tools=` of a `RunnableBinding`.

        Args:
            tools: Tools in any form that `convert_to_openai_tool` takes.
            **kwargs: Recorded as they are given, `tool_choice=None` too, which some providers send on.

        Returns:
            The bound model.
        """
        return self.bind(tools=[_tool_spec(tool) for tool in tools], **kwargs)

    def with_structured_output(
        self, schema: dict[str, Any] | type, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[LanguageModelInput, Any]:
        """Answer with `structured`, as an instance of `schema` where that is a pydantic class.

        Args:
            schema: A pydantic class, a TypedDict class or a JSON schema.
            include_raw: Whether to return the raw message beside the parsed value.
            **kwargs: Recorded.

        Returns:
            A runnable from messages to the structured answer.
        """

        def answer(model_input: LanguageModelInput) -> Any:
            messages = self._convert_input(model_input).to_messages()
            self._calls.append(ModelCall(messages, kwargs=kwargs, schema=schema))
            value = self.structured(messages) if callable(self.structured) else self.structured
            if isinstance(value, Exception):
                raise value
            if isinstance(value, dict) and isinstance(schema, type) and issubclass(schema, BaseModel):
                value = schema.model_validate(value)
            raw = AIMessage(content=str(value))
            return {"raw": raw, "parsed": value, "parsing_error": None} if include_raw else value

        return RunnableLambda(answer, name="structured_output")

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages, run_manager, kwargs))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(self._answer(messages, run_manager, kwargs)):
            generation = ChatGenerationChunk(message=chunk)
            if run_manager:
                run_manager.on_llm_new_token(str(chunk.content), chunk=generation)
            yield generation

    def _answer(
        self,
        messages: list[BaseMessage],
        run_manager: CallbackManagerForLLMRun | None,
        kwargs: dict[str, Any],
    ) -> AIMessage:
        tools = [tool["function"]["name"] if "function" in tool else str(tool) for tool in kwargs.get("tools", [])]
        extra = {key: value for key, value in kwargs.items() if key != "tools"}
        tags = list(run_manager.tags) if run_manager else []
        self._calls.append(ModelCall(list(messages), tools=tools, kwargs=extra, tags=tags))
        turn = sum(isinstance(message, AIMessage) for message in messages)
        reply: Any = self.script[turn] if turn < len(self.script) else _closing(messages)
        if callable(reply):
            reply = reply(messages)
        return _as_message(reply, turn, _conversation(messages))


def _tool_spec(tool: Any) -> dict[str, Any]:
    if isinstance(tool, dict) and "type" in tool and tool["type"] != "function":
        return tool  # a provider's built-in tool goes through as it is
    return convert_to_openai_tool(tool)


def _closing(messages: Sequence[BaseMessage]) -> str:
    results: list[str] = []
    for message in reversed(messages):
        if not isinstance(message, ToolMessage):
            break
        results.insert(0, str(message.content))
    return "done: " + ", ".join(results)


def _conversation(messages: Sequence[BaseMessage]) -> str:
    """A short name of exactly what was sent: ids differ where a hook trims the history or agents share a thread."""
    sent = repr([(message.type, message.id, message.content) for message in messages])
    return sha256(sent.encode(errors="backslashreplace")).hexdigest()[:8]


def _as_message(reply: Any, turn: int, conversation: str) -> AIMessage:
    if isinstance(reply, BaseException):
        raise reply
    if isinstance(reply, AIMessage):
        # A fresh copy each time: add_messages replaces by id and callers write to `.name`.
        return reply.model_copy(deep=True, update={"id": reply.id or f"ai-{turn}-{conversation}"})
    if isinstance(reply, str):
        return AIMessage(reply, id=f"ai-{turn}-{conversation}")
    calls = [reply] if isinstance(reply, dict) else list(reply)
    numbered = [
        ToolCall(name=c["name"], args=c["args"], id=c.get("id") or f"call_{turn}_{place}", type="tool_call")
        for place, c in enumerate(calls)
    ]
    return AIMessage("", tool_calls=numbered, id=f"ai-{turn}-{conversation}")


def _chunks(message: AIMessage) -> Iterator[AIMessageChunk]:
    """Split a message as a provider streams it: text by word, then each tool call in two parts."""
    if isinstance(message.content, str):
        words = message.content.split(" ")
        for place, word in enumerate(words):
            text = word if place == len(words) - 1 else f"{word} "
            if text:
                yield AIMessageChunk(content=text, id=message.id)
    else:
        yield AIMessageChunk(content=message.content, id=message.id)
    for index, tool_call in enumerate(message.tool_calls):
        yield AIMessageChunk(
            content="",
            id=message.id,
            tool_call_chunks=[tool_call_chunk(name=tool_call["name"], args="", id=tool_call["id"], index=index)],
        )
        yield AIMessageChunk(
            content="",
            id=message.id,
            tool_call_chunks=[tool_call_chunk(args=json.dumps(tool_call["args"]), index=index)],
        )
    yield AIMessageChunk(
        content="",
        id=message.id,
        additional_kwargs=message.additional_kwargs,
        response_metadata=message.response_metadata,
        usage_metadata=message.usage_metadata,
        chunk_position="last",
    )
