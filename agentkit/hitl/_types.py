"""The request and answer types of the legacy human-in-the-loop protocol (Agent Inbox)."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

__all__ = ["ActionRequest", "HumanInterrupt", "HumanInterruptConfig", "HumanResponse"]


class HumanInterruptConfig(TypedDict):
    """What the person may answer.

    Attributes:
        allow_ignore: Skip this step.
        allow_respond: Answer in words.
        allow_edit: Change the action or its arguments.
        allow_accept: Approve it as it stands.
    """

    allow_ignore: bool
    allow_respond: bool
    allow_edit: bool
    allow_accept: bool


class ActionRequest(TypedDict):
    """An action that waits for a person.

    Attributes:
        action: The name of the action, such as a tool's name.
        args: Its arguments by name.
    """

    action: str
    args: dict[str, Any]


class HumanInterrupt(TypedDict):
    """The value a graph passes to `interrupt`, in a list of one.

    Attributes:
        action_request: The action that waits.
        config: What the person may answer.
        description: What is asked of the person, or None.

    Example:
        ```python
        request = HumanInterrupt(
            action_request=ActionRequest(action="run_command", args={"command": "ls"}),
            config=HumanInterruptConfig(
                allow_ignore=True, allow_respond=True, allow_edit=False, allow_accept=True
            ),
            description="Run this?",
        )
        answer = interrupt([request])[0]
        ```
    """

    action_request: ActionRequest
    config: HumanInterruptConfig
    description: str | None


class HumanResponse(TypedDict):
    """A person's answer, in a list of one.

    Attributes:
        type: `"accept"`, `"ignore"`, `"response"` (a text) or `"edit"` (another action).
        args: None for accept and ignore, the text for a response, an `ActionRequest` for an edit.
    """

    type: Literal["accept", "ignore", "response", "edit"]
    args: str | ActionRequest | None
