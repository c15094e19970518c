"""AK015: `config_schema=` is `context_schema=` today."""

from __future__ import annotations

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.rules._rule import Rule

RULE = Rule(
    code="AK015",
    title="config_schema=",
    text=(
        "`config_schema=` has been another name for `context_schema=` since langgraph 0.6; it gets its new "
        "name. A call that gives both stays on the shim."
    ),
    before="agent = create_react_agent(model, tools, config_schema=Config)\n",
    after="agent = create_agent(model, tools, context_schema=Config)\n",
)


def apply(call: AgentCall) -> None:
    """Rename the argument.

    Raises:
        Refused: Both names are given.
    """
    if "config_schema" in call.arguments:
        if "context_schema" in call.arguments:
            raise Refused("AK015", "both config_schema= and context_schema= are given")
        call.used("AK015")
        call.rename("config_schema", "context_schema")
