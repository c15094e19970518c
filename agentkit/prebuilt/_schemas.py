"""The state classes of the legacy agent; `chat_agent_executor` serves them, with their warnings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import BaseMessage, SystemMessage
from langchain_core.runnables import Runnable
from langgraph.graph.message import add_messages
from langgraph.managed import RemainingSteps
from pydantic import BaseModel
from typing_extensions import NotRequired, TypedDict

from agentkit._deprecation import warn_move

StructuredResponse = dict[str, Any] | BaseModel
StructuredResponseSchema = dict[str, Any] | type[BaseModel]


class AgentState(TypedDict):
    """The state of a legacy agent: its messages and how many steps are left."""

    messages: Annotated[Sequence[BaseMessage], add_messages]
    remaining_steps: NotRequired[RemainingSteps]


class AgentStatePydantic(BaseModel):
    """The state of a legacy agent as a pydantic model; subclass it to add validated fields."""

    messages: Annotated[Sequence[BaseMessage], add_messages]
    remaining_steps: RemainingSteps = 25

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        # A TypedDict can only warn when it is imported; a class warns where it is subclassed, and only
        # its direct children do, so that a user's own hierarchy warns once.
        base = cls.__bases__[0]
        if base.__module__ == __name__ and cls.__module__ != __name__:
            warn_move(base.__name__)


class AgentStateWithStructuredResponse(AgentState):
    """The state of a legacy agent that answers in a structured form."""

    structured_response: StructuredResponse


class AgentStateWithStructuredResponsePydantic(AgentStatePydantic):
    """The pydantic state of a legacy agent that answers in a structured form."""

    structured_response: StructuredResponse


STATES = (
    "AgentState",
    "AgentStatePydantic",
    "AgentStateWithStructuredResponse",
    "AgentStateWithStructuredResponsePydantic",
)
# The pydantic ones warn where they are subclassed instead.
WARN_ON_IMPORT = ("AgentState", "AgentStateWithStructuredResponse")

StateSchema = TypeVar("StateSchema", bound=AgentState | AgentStatePydantic)
StateSchemaType = type[StateSchema]

Prompt = SystemMessage | str | Callable[[StateSchema], LanguageModelInput] | Runnable[StateSchema, LanguageModelInput]
PROMPT_RUNNABLE_NAME = "Prompt"


def state_value(state: Any, key: str, default: Any = None) -> Any:
    """Read one key of a state that is a dict or an object."""
    return state.get(key, default) if isinstance(state, dict) else getattr(state, key, default)
