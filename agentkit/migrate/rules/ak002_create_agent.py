"""AK002: `create_react_agent` becomes `create_agent`."""

from __future__ import annotations

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.rules._rule import Rule

RULE = Rule(
    code="AK002",
    title="create_react_agent",
    text=(
        "A call of `create_react_agent` becomes one of `langchain.agents.create_agent` when each of its "
        "arguments has an exact rewrite; else the whole call stays on `agentkit.prebuilt`, marked once. "
        "`tools`, `context_schema`, `store`, `checkpointer`, `debug` and `name` are passed on. A model or a "
        "list of tools that this file does not show is taken to be a chat model and a list. Two things differ "
        "in every rewrite, and are accepted: `create_agent` does not raise on a history with an unanswered "
        "tool call, and with a recursion limit that something outside this file sets, it raises at the limit. "
        "On Python 3.10, its async runs stream no tokens; from 3.11 on they do."
    ),
    before=("from langgraph.prebuilt import create_react_agent\n\nagent = create_react_agent(model, [search])\n"),
    after="from langchain.agents import create_agent\n\nagent = create_agent(model, [search])\n",
)

PASSED_ON = {"model", "tools", "store", "checkpointer", "debug", "name", "context_schema", "state_schema"}
HANDLED = {
    "prompt", "pre_model_hook", "post_model_hook", "response_format", "config_schema", "interrupt_before",
    "interrupt_after", "version", "messages_modifier", "state_modifier", "handle_tool_errors",
}  # fmt: skip
VALUE_REASON = "create_react_agent is passed on as a value, so its calls can't be seen"


def check(call: AgentCall) -> None:
    """Refuse arguments that no rule knows, and drop those that are None.

    Raises:
        Refused: There is an unknown argument, or the model is missing.
    """
    unknown = sorted(set(call.arguments) - PASSED_ON - HANDLED)
    if unknown:
        raise Refused("AK002", f"no rule for {', '.join(f'{name}=' for name in unknown)}")
    if "model" not in call.arguments:
        raise Refused("AK002", "the call has no model")
    for keyword in HANDLED - {"version", "handle_tool_errors"}:
        if keyword in call.arguments and call.value(keyword) is None:
            call.drop(keyword)
