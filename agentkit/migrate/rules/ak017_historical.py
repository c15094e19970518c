"""AK017: arguments and names of old versions."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.rules import ak003_prompt_text

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
        if not ak003_prompt_text.is_text(call.source, value):
            raise Refused("AK017", f"{keyword}={_brief(call, value)} is no text that this file shows")
        call.used("AK017")
        call.rename(keyword, "system_prompt")


def _brief(call: AgentCall, value: cst.BaseExpression) -> str:
    return " ".join(call.source.code(value).split())[:40]
