"""The `agent` node: create_agent's model node, with what the legacy agent did around a model call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, RemoveMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.errors import ErrorCode, create_error_message
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import Command

from agentkit._upstream import config_in_context
from agentkit.prebuilt._models import LegacyModel
from agentkit.prebuilt._schemas import AgentInput, as_user_state, state_value

OUT_OF_STEPS = "Sorry, need more steps to process this request."


class AgentNode:
    """create_agent's model node, in what the legacy agent does around a model call.

    Methods, not closures: langgraph disassembles what a node's closure holds each time it compiles.

    Args:
        model_node: The runnable of create_agent's model node.
        model: The legacy model, which that node calls.
        name: The agent's name, written on each of its messages.
        has_pre_hook: Whether a `pre_model_hook` may have set `llm_input_messages`.
        schema: The class of the state that prompt and model function are given.
        return_direct: The tools whose answer ends the run.
    """

    def __init__(
        self,
        model_node: Any,
        *,
        model: LegacyModel,
        name: str | None,
        has_pre_hook: bool,
        schema: type,
        return_direct: set[str],
    ) -> None:
        self._node = model_node
        self._model = model
        self._name = name
        self._has_pre_hook = has_pre_hook
        self._schema = schema
        self._direct = return_direct

    def call_model(self, state: Any, config: RunnableConfig) -> Any:
        """Run the model, in a run of this function's name."""
        self._model.refuse_sync()
        request = self._input(state, config)
        return self._output(self._node.invoke(request, config), request)

    async def acall_model(self, state: Any, config: RunnableConfig) -> Any:
        """Run the model, sync or async."""
        request = self._input(state, config)
        with config_in_context(config):
            return self._output(await self._node.ainvoke(request, config), request)

    def _input(self, state: Any, config: RunnableConfig) -> AgentInput:
        messages = state_value(state, "llm_input_messages") if self._has_pre_hook else None
        if messages is None:
            messages = state_value(state, "messages")
        if messages is None:
            keys = "'llm_input_messages' or 'messages' key" if self._has_pre_hook else "'messages' key"
            raise ValueError(f"Expected input to call_model to have {keys}, but got {state}")
        validate_chat_history(messages)
        request = AgentInput(state, messages=messages)
        request.config = config
        # In place, as upstream does it: what shows the node's input late shows what the model was sent.
        if isinstance(state, dict):
            state["messages"] = messages
            request.user_state = as_user_state(self._schema, state)
        else:
            state.messages = messages
            request.user_state = state
        return request

    def _output(self, commands: Any, request: AgentInput) -> Any:
        """Name the answer, or replace it where the steps have run out."""
        update = commands[0].update
        messages = _without_repairs(update["messages"], request["messages"])
        answer = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
        if answer is not None:
            answer.name = self._name
            if self._needs_more_steps(answer, request.get("remaining_steps")):
                messages = [AIMessage(id=answer.id, content=OUT_OF_STEPS)]
        update = {**update, "messages": messages}
        # One plain dict, as the legacy node returned, unless middleware added commands of its own.
        return update if len(commands) == 1 else [Command(update=update), *commands[1:]]

    def _needs_more_steps(self, answer: AIMessage, remaining: int | None) -> bool:
        if remaining is None:
            return False
        if remaining < 1 and all(tool_call["name"] in self._direct for tool_call in answer.tool_calls):
            return True
        return remaining < 2 and bool(answer.tool_calls)


def _without_repairs(messages: Sequence[AnyMessage], sent: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Drop the rewritten history that newer create_agents return for malformed tool calls.

    The model is sent the repaired history; the thread keeps what was written.
    """
    if not (messages and isinstance(messages[0], RemoveMessage) and messages[0].id == REMOVE_ALL_MESSAGES):
        return list(messages)
    known = {id(message) for message in sent}
    last = max((place for place, message in enumerate(messages) if id(message) in known), default=0)
    added = list(messages[last + 1 :])
    while added and isinstance(added[0], ToolMessage):
        added.pop(0)
    return added


def validate_chat_history(messages: Sequence[BaseMessage]) -> None:
    """Refuse a history in which a tool call has no answer.

    Raises:
        ValueError: If there is such a call. It names the first three.
    """
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    open_calls = [
        tool_call
        for message in messages
        if isinstance(message, AIMessage)
        for tool_call in message.tool_calls
        if tool_call["id"] not in answered
    ]
    if open_calls:
        raise ValueError(
            create_error_message(
                message="Found AIMessages with tool_calls that do not have a corresponding ToolMessage. "
                f"Here are the first few of those tool calls: {open_calls[:3]}.\n\n"
                "Every tool call (LLM requesting to call a tool) in the message history MUST have a "
                "corresponding ToolMessage (result of a tool invocation to return to the LLM) - this is "
                "required by most LLM providers.",
                error_code=ErrorCode.INVALID_CHAT_HISTORY,
            )
        )
