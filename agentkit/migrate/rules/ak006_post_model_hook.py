"""AK006: `post_model_hook=` becomes `after_model` middleware."""

from __future__ import annotations

from agentkit.migrate.calls import AgentCall
from agentkit.migrate.functions import user_function
from agentkit.migrate.rules import _hooks
from agentkit.migrate.rules._rule import Rule

RULE = Rule(
    code="AK006",
    title="post_model_hook=",
    text=(
        "A hook function that this file shows becomes `@after_model`: it is the same node after the model, "
        "under the name `<function>.after_model`. A hook that is imported, a Runnable, or that takes `config` "
        "or `store`, stays on the shim; so does one that calls `interrupt()` where threads outlive the "
        "process, as a thread that waits in it could not be resumed under the node's new name."
    ),
    before=(
        "def guard(state):\n"
        '    return {"messages": [redact(state["messages"][-1])]}\n\n\n'
        "agent = create_react_agent(model, tools, post_model_hook=guard)\n"
    ),
    after=(
        "@after_model\n"
        "def guard(state, runtime):\n"
        '    return {"messages": [redact(state["messages"][-1])]}\n\n\n'
        "agent = create_agent(model, tools, middleware=[guard])\n"
    ),
)


def apply(call: AgentCall) -> None:
    """Rewrite the hook.

    Raises:
        Refused: The hook has no exact rewrite.
    """
    if call.value("post_model_hook") is None:
        return
    function = user_function(call, "post_model_hook", "AK006", "function")
    call.used("AK006")
    _hooks.check(call, function, "AK006")
    _hooks.plain(call, function, "post_model_hook", "after_model")
