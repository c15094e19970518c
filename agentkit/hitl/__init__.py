"""Requests for a person and their answers: what waits, how to answer, and the legacy schema.

Example:
    ```python
    from agentkit.hitl import pending, resume

    agent.invoke({"messages": [("user", "Delete temp.txt")]}, config)
    for action in pending(agent, config):
        print(action.tool, action.args)
    resume(agent, config, {"decisions": [{"type": "approve"}]})
    ```
"""

from agentkit import _checked as _checked
from agentkit.hitl._answers import AnswerError
from agentkit.hitl._commands import command
from agentkit.hitl._convert import (
    DECISIONS,
    Decision,
    approval_to_interrupt,
    decision_to_response,
    interrupt_to_approval,
    interrupts_to_request,
    request_to_interrupts,
    response_to_decision,
    to_human_interrupt,
)
from agentkit.hitl._requests import PendingAction
from agentkit.hitl._threads import (
    HistoryEntry,
    ahistory,
    apending,
    aresume,
    astream,
    history,
    pending,
    resume,
    stream,
)
from agentkit.hitl._waiting import WaitingThread, awaiting, waiting

__all__ = [
    "DECISIONS",
    "AnswerError",
    "Decision",
    "HistoryEntry",
    "PendingAction",
    "WaitingThread",
    "ahistory",
    "apending",
    "approval_to_interrupt",
    "aresume",
    "astream",
    "awaiting",
    "command",
    "decision_to_response",
    "history",
    "interrupt_to_approval",
    "interrupts_to_request",
    "pending",
    "request_to_interrupts",
    "response_to_decision",
    "resume",
    "stream",
    "to_human_interrupt",
    "waiting",
]
