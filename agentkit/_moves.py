"""Where each legacy name lived, where it lives in agentkit, and what replaces it.

The lazy exports, the warnings, `install()`, the codemod's import rule, the table in the README and
the parametrised tests all read this table, so none of them can miss an entry.
"""

from __future__ import annotations

from dataclasses import dataclass

LEGACY_ROOT = "langgraph.prebuilt"
SHIM_ROOT = "agentkit.prebuilt"
REMOVAL = "langgraph 2.0"

_EXECUTOR = "chat_agent_executor"
_TOOLS = "tool_node"
_VALIDATOR = "tool_validator"
_INTERRUPT = "interrupt"


@dataclass(frozen=True)
class Move:
    """One legacy name.

    Attributes:
        name: The name itself.
        module: The submodule of `langgraph.prebuilt` (and of `agentkit.prebuilt`) it lives in.
        top: Whether `langgraph.prebuilt` itself exports it too.
        since: The upstream release that deprecated it, or None where upstream keeps it.
        instead: The dotted name that replaces it; the name's own address where it is kept.
        advice: What the warning says to use, for names that warn.
        rule: The codemod rule that rewrites its use.
    """

    name: str
    module: str
    top: bool = False
    since: str | None = None
    instead: str = ""
    advice: str = ""
    rule: str = "AK001"

    @property
    def old(self) -> str:
        """The shortest legacy address."""
        return f"{LEGACY_ROOT}.{self.name}" if self.top else f"{LEGACY_ROOT}.{self.module}.{self.name}"

    @property
    def old_addresses(self) -> tuple[str, ...]:
        """Every legacy address, the submodule's last."""
        deep = f"{LEGACY_ROOT}.{self.module}.{self.name}"
        return (f"{LEGACY_ROOT}.{self.name}", deep) if self.top else (deep,)

    @property
    def new(self) -> str:
        """The shortest agentkit address."""
        return self.old.replace(LEGACY_ROOT, SHIM_ROOT, 1)


_SINCE = "langgraph-prebuilt 1.0.0"

MOVES: tuple[Move, ...] = (
    Move(
        "create_react_agent",
        _EXECUTOR,
        top=True,
        since=_SINCE,
        instead="langchain.agents.create_agent",
        advice="langchain.agents.create_agent",
        rule="AK002",
    ),
    Move(
        "create_tool_calling_executor",
        _EXECUTOR,
        since=_SINCE,
        instead="langchain.agents.create_agent",
        advice="langchain.agents.create_agent",
        rule="AK002",
    ),
    Move(
        "AgentState",
        _EXECUTOR,
        since=_SINCE,
        instead="langchain.agents.AgentState",
        advice="langchain.agents.AgentState (which has no `remaining_steps`: create_agent takes no managed values)",
        rule="AK010",
    ),
    Move(
        "AgentStatePydantic",
        _EXECUTOR,
        since=_SINCE,
        instead="langchain.agents.AgentState",
        advice="a TypedDict that extends langchain.agents.AgentState",
        rule="AK010",
    ),
    Move(
        "AgentStateWithStructuredResponse",
        _EXECUTOR,
        since=_SINCE,
        instead="langchain.agents.AgentState",
        advice="langchain.agents.AgentState, which has `structured_response`",
        rule="AK010",
    ),
    Move(
        "AgentStateWithStructuredResponsePydantic",
        _EXECUTOR,
        since=_SINCE,
        instead="langchain.agents.AgentState",
        advice="a TypedDict that extends langchain.agents.AgentState, which has `structured_response`",
        rule="AK010",
    ),
    Move("Prompt", _EXECUTOR),
    Move("StateSchema", _EXECUTOR),
    Move("StateSchemaType", _EXECUTOR),
    Move("StructuredResponse", _EXECUTOR),
    Move("StructuredResponseSchema", _EXECUTOR),
    Move("PROMPT_RUNNABLE_NAME", _EXECUTOR),
    Move("_should_bind_tools", _EXECUTOR),
    Move("_get_model", _EXECUTOR),
    Move("_get_prompt_runnable", _EXECUTOR),
    Move("_validate_chat_history", _EXECUTOR),
    Move("ToolNode", _TOOLS, top=True, instead="agentkit.tools.ToolNode"),
    Move("tools_condition", _TOOLS, top=True, instead="agentkit.tools.tools_condition"),
    Move("InjectedState", _TOOLS, top=True, instead="langchain.tools.InjectedState"),
    Move("InjectedStore", _TOOLS, top=True, instead="langchain.tools.InjectedStore"),
    Move("ToolRuntime", _TOOLS, top=True, instead="langchain.tools.ToolRuntime"),
    Move("ToolCallRequest", _TOOLS, instead="langchain.agents.middleware.ToolCallRequest"),
    Move("ToolCallWithContext", _TOOLS),
    Move("ToolCallWrapper", _TOOLS),
    Move("AsyncToolCallWrapper", _TOOLS),
    Move("ToolInvocationError", _TOOLS),
    Move("INVALID_TOOL_NAME_ERROR_TEMPLATE", _TOOLS),
    Move("TOOL_CALL_ERROR_TEMPLATE", _TOOLS),
    Move("TOOL_EXECUTION_ERROR_TEMPLATE", _TOOLS),
    Move("TOOL_INVOCATION_ERROR_TEMPLATE", _TOOLS),
    Move("msg_content_output", _TOOLS),
    Move(
        "ValidationNode",
        _VALIDATOR,
        top=True,
        since=_SINCE,
        instead="agentkit.middleware.ValidationMiddleware",
        advice="langchain.agents.create_agent with agentkit.middleware.ValidationMiddleware",
        rule="AK012",
    ),
    *(
        Move(
            name,
            _INTERRUPT,
            since=_SINCE,
            instead=f"agentkit.agents.interrupt.{name}",
            advice=f"agentkit.agents.interrupt.{name}, or interrupt_on= of agentkit.agents.create_agent",
            rule="AK011",
        )
        for name in ("HumanInterruptConfig", "ActionRequest", "HumanInterrupt", "HumanResponse")
    ),
    Move("ToolCallTransformer", "_tool_call_transformer", top=True),
)

BY_NAME: dict[str, Move] = {move.name: move for move in MOVES}

# Names that neither upstream nor the shim has any more, and what to use: code that imports them runs nowhere.
GONE = {
    "create_agent_executor": "call langchain.agents.create_agent, which takes a model and tools",
    "create_function_calling_executor": "call create_react_agent, which takes the same model and tools",
    "ToolExecutor": "call a ToolNode with the message, or tool.invoke(args) with the tool of that name",
    "ToolInvocation": "call tool.invoke(args) with the tool of that name",
}

# What each argument of create_react_agent is on create_agent, as its warning says it.
ARGUMENTS: dict[str, str] = {
    "model (bound)": "a chat model, with what was bound set by a `wrap_model_call` middleware",
    "model (function)": "a `wrap_model_call` middleware that overrides `request.model`",
    "prompt (text)": '`system_prompt="..."`',
    "prompt (message)": "`system_prompt=SystemMessage(...)`",
    "prompt (function)": "a `@dynamic_prompt` middleware, or `wrap_model_call` if it changes the messages",
    "tools (ToolNode)": "its tools as a list, and `handle_tool_errors=` of agentkit.agents.create_agent",
    "pre_model_hook": "a `before_model` middleware",
    "post_model_hook": "an `after_model` middleware",
    "response_format": "`response_format=ToolStrategy(...)` or `ProviderStrategy(...)`, which need no extra model call",
    "state_schema (pydantic)": "`state_schema=` with a TypedDict that extends langchain.agents.AgentState",
    "version": "not needed: create_agent always runs one task per tool call",
    "interrupt": 'node names `"model"` for `"agent"`, or `interrupt_on=` of agentkit.agents.create_agent',
    "config_schema": "`context_schema=`",
    "messages_modifier": "`prompt=` here, `system_prompt=` or a middleware on create_agent",
    "state_modifier": "`prompt=` here, `system_prompt=` or a middleware on create_agent",
}
