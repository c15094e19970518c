"""AK006: `post_model_hook=` becomes `after_model` middleware."""

from __future__ import annotations

from agentkit.migrate.calls import AgentCall
from agentkit.migrate.functions import user_function
from agentkit.migrate.rules import _hooks


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
