"""The `agent` node: the model call, and what the legacy agent did around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, RemoveMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.errors import ErrorCode, create_error_message
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime
from langgraph.types import Command

from agentkit._upstream import config_in_context, repaired_messages
from agentkit.prebuilt._models import LegacyModelCall
from agentkit.prebuilt._schemas import AgentInput, as_user_state, state_value, with_messages

OUT_OF_STEPS = "Sorry, need more steps to process this request."


class AgentNode:
    """Calls the model, and does what the legacy agent does around a model call.

    With middleware of the user's the call goes through create_agent's model node. Without, there is nothing
    for that node to add, and its span in LangSmith was never in the traces of a legacy agent.
    Methods, not closures: langgraph disassembles what a node's closure holds each time it compiles.

    Args:
        call: Prompt and model.
        model_node: The runnable of create_agent's model node, or None without middleware.
        name: The agent's name, written on each of its messages.
        has_pre_hook: Whether a `pre_model_hook` may have set `llm_input_messages`.
        return_direct: The tools whose answer ends the run.
    """

    def __init__(
        self,
        call: LegacyModelCall,
        model_node: Any,
        *,
        name: str | None,
        has_pre_hook: bool,
        return_direct: set[str],
    ) -> None:
        self._call = call
        self._node = model_node
        self._name = name
        self._has_pre_hook = has_pre_hook
        self._direct = return_direct

    def call_model(self, state: Any, config: RunnableConfig, runtime: Runtime[Any]) -> Any:
        """Call the model; the name is that of the run in traces."""
        self._call.model.refuse_sync()
        messages = self._messages(state)
        user_state = self._user_state(state, messages)
        if self._node is None:
            return self._output([self._call.invoke(user_state, config, runtime)], state)
        commands = self._node.invoke(AgentInput(state, messages, user_state, config), config)
        return self._merged(commands, messages, state)

    async def acall_model(self, state: Any, config: RunnableConfig, runtime: Runtime[Any]) -> Any:
        """Call the model, sync or async."""
        messages = self._messages(state)
        user_state = self._user_state(state, messages)
        with config_in_context(config):
            if self._node is None:
                return self._output([await self._call.ainvoke(user_state, config, runtime)], state)
            commands = await self._node.ainvoke(AgentInput(state, messages, user_state, config), config)
        return self._merged(commands, messages, state)

    def _messages(self, state: Any) -> Any:
        messages = state_value(state, "llm_input_messages") if self._has_pre_hook else None
        if messages is None:
            messages = state_value(state, "messages")
        if messages is None:
            keys = "'llm_input_messages' or 'messages' key" if self._has_pre_hook else "'messages' key"
            raise ValueError(f"Expected input to call_model to have {keys}, but got {state}")
        validate_chat_history(messages)
        return messages

    def _user_state(self, state: Any, messages: Any) -> Any:
        """The state that prompt and model function are given."""
        # In place, as upstream does it: what shows the node's input late shows what the model was sent.
        if isinstance(state, dict):
            state["messages"] = messages
            state = as_user_state(self._call.user_schema, state)
        else:
            state.messages = messages
        if self._node is None and len(sent := repaired_messages(messages)) > len(messages):
            return with_messages(state, sent)
        return state

    def _merged(self, commands: Any, sent: Sequence[AnyMessage], state: Any) -> Any:
        """Make the answer one plain dict, as the legacy node's was, unless middleware added commands of its own."""
        update = commands[0].update
        update = {**update, **self._output(_without_repairs(update["messages"], sent), state)}
        return update if len(commands) == 1 else [Command(update=update), *commands[1:]]

    def _output(self, messages: list[Any], state: Any) -> dict[str, Any]:
        """Name the answer, or replace it where the steps have run out."""
        answer = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
        if answer is not None:
            answer.name = self._name
            if self._needs_more_steps(answer, state_value(state, "remaining_steps")):
                messages = [AIMessage(id=answer.id, content=OUT_OF_STEPS)]
        return {"messages": messages}

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
