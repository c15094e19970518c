"""The private middleware that reserve the places of the legacy nodes in create_agent's wiring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.tools import BaseTool


class Slot(AgentMiddleware[Any, Any]):
    """Reserves the place of a legacy node in create_agent's wiring.

    create_agent decides where the node's edges go; `_graph` then puts the user's own runnable there,
    so that a hook gets what a node gets (its schema, config, store, writer) and not only a state.
    """

    tools: Sequence[BaseTool] = ()

    def __init__(self, name: str, state_schema: type) -> None:
        super().__init__()
        self._name = name
        self.state_schema = state_schema

    @property
    def name(self) -> str:
        """The legacy name of the node."""
        return self._name


class BeforeModelSlot(Slot):
    """The place of `pre_model_hook`."""

    def before_model(self, state: Any, runtime: Any) -> None:
        """Never runs: the graph is rebuilt with the hook itself."""


class AfterModelSlot(Slot):
    """The place of `post_model_hook`."""

    def after_model(self, state: Any, runtime: Any) -> None:
        """Never runs: the graph is rebuilt with the hook itself."""


class AfterAgentSlot(Slot):
    """The place of `generate_structured_response`."""

    def after_agent(self, state: Any, runtime: Any) -> None:
        """Never runs: the graph is rebuilt with the node itself."""
