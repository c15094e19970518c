"""AK015: `config_schema=` is `context_schema=` today."""

from __future__ import annotations

from agentkit.migrate.calls import AgentCall
from agentkit.migrate.rules._rule import Rule

RULE = Rule(
    code="AK015",
    title="config_schema=",
    text=(
        "`config_schema=` has been another name for `context_schema=` since langgraph 0.6; it gets its new "
        "name. In a call that gives both, `context_schema` is the one that counts, and the other goes."
    ),
    before="agent = create_react_agent(model, tools, config_schema=Config)\n",
    after="agent = create_agent(model, tools, context_schema=Config)\n",
)


def apply(call: AgentCall) -> None:
    """Rename the argument, or drop it where today's name is given too."""
    if "config_schema" in call.arguments:
        call.used("AK015")
        if "context_schema" in call.arguments:
            call.drop("config_schema")
        else:
            call.rename("config_schema", "context_schema")
