"""The request and answer types of the legacy human-in-the-loop protocol (Agent Inbox).

They are at the address that upstream's deprecation messages advertise and never shipped.
"""

from agentkit.hitl._types import ActionRequest, HumanInterrupt, HumanInterruptConfig, HumanResponse

__all__ = ["ActionRequest", "HumanInterrupt", "HumanInterruptConfig", "HumanResponse"]
