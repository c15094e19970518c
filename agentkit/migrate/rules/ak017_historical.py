"""AK017: arguments and names of old versions."""

from __future__ import annotations

from agentkit.migrate.calls import AgentCall, Refused

MODIFIERS = ("messages_modifier", "state_modifier")


def apply(call: AgentCall) -> None:
    """Rewrite the old names of `prompt=`.

    Raises:
        Refused: It is no text, or there are two.
    """
    given = [keyword for keyword in ("prompt", *MODIFIERS) if call.value(keyword) is not None]
    for keyword in MODIFIERS:
        value = call.value(keyword)
        if keyword in call.arguments and value is None:
            call.drop(keyword)
        if value is None:
            continue
        if len(given) > 1:
            raise Refused("AK017", f"{' and '.join(given)} are both given")
        call.used("AK017")
        call.arguments["prompt"] = call.arguments.pop(keyword)
        if keyword == "messages_modifier":
            call.prompt_state = 'request.state["messages"]'
