"""The state classes of the legacy agent; `chat_agent_executor` serves them, with their warnings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, TypeVar, cast, get_type_hints

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import BaseMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.graph.message import add_messages
from langgraph.managed import RemainingSteps
from pydantic import BaseModel, create_model
from typing_extensions import NotRequired, TypedDict

from agentkit._deprecation import warn_move
from agentkit._upstream import is_managed_value

StructuredResponse = dict[str, Any] | BaseModel
StructuredResponseSchema = dict[str, Any] | type[BaseModel]


# The first sentences are upstream's: JSON schemas show them.
class AgentState(TypedDict):
    """The state of the agent."""

    messages: Annotated[Sequence[BaseMessage], add_messages]
    remaining_steps: NotRequired[RemainingSteps]


class AgentStatePydantic(BaseModel):
    """The state of the agent."""

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
    """The state of the agent with a structured response."""

    structured_response: StructuredResponse


class AgentStateWithStructuredResponsePydantic(AgentStatePydantic):
    """The state of the agent with a structured response."""

    structured_response: StructuredResponse


STATES = (
    "AgentState",
    "AgentStatePydantic",
    "AgentStateWithStructuredResponse",
    "AgentStateWithStructuredResponsePydantic",
)
for _name in STATES:
    # JSON schemas say so, as upstream's do. `typing_extensions.deprecated` would also warn, and elsewhere.
    vars()[_name].__deprecated__ = f"{_name} is deprecated."
# The pydantic ones warn where they are subclassed instead.
WARN_ON_IMPORT = ("AgentState", "AgentStateWithStructuredResponse")

StateSchema = TypeVar("StateSchema", bound=AgentState | AgentStatePydantic)
StateSchemaType = type[StateSchema]

Prompt = SystemMessage | str | Callable[[StateSchema], LanguageModelInput] | Runnable[StateSchema, LanguageModelInput]
PROMPT_RUNNABLE_NAME = "Prompt"


@lru_cache(maxsize=64)
def with_optional_response(schema: type) -> type:
    """The pydantic state of an agent whose `structured_response` is there only at the end of a run."""
    if not issubclass(schema, BaseModel) or not schema.model_fields["structured_response"].is_required():
        return schema
    hint: Any = schema.model_fields["structured_response"].annotation
    return create_model(
        schema.__name__,
        __base__=schema,
        __module__=schema.__module__,
        __doc__=schema.__doc__,
        structured_response=(hint | None, None),
    )


def state_value(state: Any, key: str, default: Any = None) -> Any:
    """Read one key of a state that is a dict or an object."""
    return state.get(key, default) if isinstance(state, dict) else getattr(state, key, default)


class AgentInput(dict[str, Any]):
    """The state that create_agent's model node is given, and what it comes from.

    Attributes:
        user_state: The state as prompt and model function are given it.
        config: The config of the `agent` run, in which prompt and model run.
    """

    def __init__(self, state: Any, messages: Any, user_state: Any, config: RunnableConfig) -> None:
        super().__init__(state, messages=messages)
        self.user_state = user_state
        self.config = config


def with_messages(state: Any, messages: Sequence[Any]) -> Any:
    """Copy a state that is a dict or an instance of a pydantic class, with other messages."""
    if isinstance(state, BaseModel):
        return state.model_copy(update={"messages": messages})
    return {**state, "messages": messages}


def as_user_state(schema: type, state: dict[str, Any]) -> Any:
    """Make the state an instance of the user's pydantic class, or leave it the dict it is.

    Raises:
        pydantic.ValidationError: If the state does not fit the class.
    """
    if not issubclass(schema, BaseModel):
        return state
    # The class may forbid what it does not declare: fields of middleware, a hook's llm_input_messages.
    return schema(**{name: value for name, value in state.items() if name in schema.model_fields})


@lru_cache(maxsize=64)
def schema_hints(schema: type) -> Mapping[str, Any]:
    """The resolved annotations of a state class; of a pydantic class, those of its fields."""
    hints = get_type_hints(schema, include_extras=True)
    fields = schema.model_fields if issubclass(schema, BaseModel) else hints
    return {name: hint for name, hint in hints.items() if name in fields}


def unmanaged(hints: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out managed values, which langgraph does not allow in input and output schemas."""
    return {name: hint for name, hint in hints.items() if not _is_managed(hint)}


def _is_managed(hint: Any) -> bool:
    while hasattr(hint, "__origin__") and not hasattr(hint, "__metadata__"):
        hint = hint.__args__[0]  # Required[...], NotRequired[...]
    return any(is_managed_value(item) for item in getattr(hint, "__metadata__", ()))


def typed_dict(name: str, hints: Mapping[str, Any]) -> type:
    """Make a TypedDict class at run time."""
    return cast("type", TypedDict(name, dict(hints)))  # type: ignore[operator]


@lru_cache(maxsize=64)
def base_schema(user_schema: type) -> type:
    """The TypedDict to give create_agent as its state: the user's fields that it may have."""
    return typed_dict("LegacyState", unmanaged(schema_hints(user_schema)))
