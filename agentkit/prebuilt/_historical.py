"""Arguments that create_react_agent once had, and the warning that says what each is today."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import SystemMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.prebuilt.tool_node import ToolNode
from pydantic import BaseModel

from agentkit._deprecation import warn_deprecated
from agentkit._moves import ARGUMENTS, BY_NAME, REMOVAL
from agentkit.prebuilt._prompts import is_async
from agentkit.prebuilt._schemas import state_value


def take_prompt(prompt: Any, given: dict[str, Any]) -> Any:
    """Take `messages_modifier` or `state_modifier` out of the given arguments as the prompt.

    Raises:
        ValueError: If two of the three are given.
    """
    old = {name: given.pop(name) for name in ("messages_modifier", "state_modifier") if name in given}
    old = {name: value for name, value in old.items() if value is not None}
    said = [*(["prompt"] if prompt is not None else []), *old]
    if len(said) > 1:
        raise ValueError(f"{' and '.join(f'`{name}`' for name in said)} say the same thing. Give `prompt` alone.")
    if "messages_modifier" in old:
        return _of_messages(old["messages_modifier"])
    return old.get("state_modifier", prompt)


def _of_messages(modifier: Any) -> Any:
    """A modifier of messages as a prompt, which is given the whole state."""
    if isinstance(modifier, str | SystemMessage):
        return modifier
    if isinstance(modifier, Runnable):
        return RunnableLambda(lambda state: state_value(state, "messages"), name="messages") | modifier
    if is_async(modifier):

        async def aprompt(state: Any) -> Any:
            return await modifier(state_value(state, "messages"))

        return aprompt
    return lambda state: modifier(state_value(state, "messages"))


def take_context_schema(context_schema: Any, given: dict[str, Any]) -> Any:
    """Take `config_schema` out of the given arguments as the context schema.

    Raises:
        ValueError: If both are given.
    """
    old = given.pop("config_schema", None)
    if old is not None and context_schema is not None:
        raise ValueError("`config_schema` and `context_schema` say the same thing. Give `context_schema` alone.")
    return context_schema if old is None else old


def warn_create_react_agent(arguments: dict[str, Any]) -> None:
    """Warn once, at the caller's line, with the replacement of each argument in use."""
    move = BY_NAME["create_react_agent"]
    parts = [f"`{_argument(use)}` is {ARGUMENTS[use]}" for use in _uses(arguments)]
    instead = f"{move.instead} ({'; '.join(parts)})" if parts else move.instead
    warn_deprecated("create_react_agent", since=str(move.since), removal=REMOVAL, instead=instead)


def _argument(use: str) -> str:
    return f"{use.split(' ')[0]}="


def _uses(arguments: dict[str, Any]) -> list[str]:
    prompt, model, schema = arguments["prompt"], arguments["model"], arguments["state_schema"]
    checks = {
        "model (bound)": isinstance(model, Runnable) and hasattr(model, "bound"),
        "model (function)": callable(model) and not isinstance(model, Runnable),
        "prompt (text)": isinstance(prompt, str),
        "prompt (message)": isinstance(prompt, SystemMessage),
        "prompt (function)": prompt is not None and not isinstance(prompt, str | SystemMessage),
        "tools (ToolNode)": isinstance(arguments["tools"], ToolNode),
        "pre_model_hook": arguments["pre_model_hook"] is not None,
        "post_model_hook": arguments["post_model_hook"] is not None,
        "response_format": arguments["response_format"] is not None,
        "state_schema (pydantic)": isinstance(schema, type) and issubclass(schema, BaseModel),
        "version": arguments["version"] == "v1",
        "interrupt": bool(arguments["interrupt_before"] or arguments["interrupt_after"]),
    }
    old = [name for name in ("config_schema", "messages_modifier", "state_modifier") if arguments["old"].get(name)]
    return [*(use for use, used in checks.items() if used), *old]
