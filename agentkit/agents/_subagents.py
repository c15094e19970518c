"""The sub-agent that deepagents adds by itself."""

from __future__ import annotations

from typing import Any

from agentkit import _upstream as up


def general_purpose_subagent(model: Any) -> dict[str, Any] | None:
    """The sub-agent deepagents adds by itself, as a spec, or None where the model's profile has none.

    Args:
        model: The model of the agent, as given.

    Returns:
        A spec with name, description and system prompt.
    """
    from deepagents.middleware.subagents import GENERAL_PURPOSE_SUBAGENT

    spec: dict[str, Any] = dict(GENERAL_PURPOSE_SUBAGENT)
    own = getattr(up.harness_profile(model), "general_purpose_subagent", None)
    if own is None:
        return spec
    texts = {key: getattr(own, key) for key in ("description", "system_prompt")}
    spec.update({key: text for key, text in texts.items() if text is not None})
    return None if own.enabled is False else spec
