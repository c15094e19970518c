"""AK015: `config_schema=` is `context_schema=` today."""

from __future__ import annotations

from agentkit.migrate.calls import AgentCall


def apply(call: AgentCall) -> None:
    """Rename the argument, or drop it where today's name is given too."""
    if "config_schema" in call.arguments:
        call.used("AK015")
        if "context_schema" in call.arguments:
            call.drop("config_schema")
        else:
            call.rename("config_schema", "context_schema")
