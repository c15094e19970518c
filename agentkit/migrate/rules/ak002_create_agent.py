"""AK002: `create_react_agent` becomes `create_agent`."""

from __future__ import annotations

from agentkit.migrate.calls import AgentCall, Refused

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
