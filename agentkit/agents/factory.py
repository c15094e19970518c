"""`create_agent`: langchain's own, with approvals, permissions and what to do with the errors of tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents import create_agent as _create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage
from langchain_core.tools import BaseTool
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt.tool_node import ToolNode

from agentkit import _upstream as up
from agentkit.middleware._gates import gate_middleware
from agentkit.middleware._policy import InterruptOn
from agentkit.permissions import FileRules, FilesystemPermission
from agentkit.prebuilt._execution import take_over, wrapper_names
from agentkit.prebuilt._tools import check_names, readable_tool
from agentkit.prebuilt.tool_node import given_tools, mend, own_tool_node

__all__ = ["create_agent"]


def create_agent(
    model: str | BaseChatModel,
    tools: Sequence[BaseTool | Callable[..., Any] | dict[str, Any]] | ToolNode | None = None,
    *,
    system_prompt: str | SystemMessage | None = None,
    middleware: Sequence[AgentMiddleware[Any, Any]] = (),
    interrupt_on: InterruptOn | None = None,
    permissions: FileRules | Sequence[FilesystemPermission] | None = None,
    handle_tool_errors: Any = None,
    **kwargs: Any,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build an agent with `langchain.agents.create_agent`.

    Every argument of the installed `create_agent` is passed on; this one adds `interrupt_on` and
    `permissions`, as deepagents has them, and `handle_tool_errors`, which legacy users had on `ToolNode`.
    And when a validator of a tool's arguments as a whole fails, the model is told what it said, as with
    `agentkit.prebuilt.ToolNode`.

    Args:
        model: `"provider:name"` or a chat model.
        tools: Tools, plain functions and provider tools (dicts), or a `ToolNode`, which then runs them
            itself. Defaults to None.
        system_prompt: Put before the messages of each model call. Defaults to None.
        middleware: Middleware, outermost first. Defaults to `()`.
        interrupt_on: Which tools need a person's approval: tool name or pattern to `True`, `False` or a
            config, as for `agentkit.middleware.HumanInTheLoopMiddleware`. Defaults to None.
        permissions: Which paths the tools may read and write, and which need a person: rules, or a
            `FileRules`. Defaults to None.
        handle_tool_errors: What becomes of an exception in a tool. `True`: any becomes an error
            `ToolMessage`; a string: any becomes that text; an exception type or a tuple of them: only
            those; a function: its annotation says which, its result is the text; `False`: none, not even
            wrong arguments. By default wrong arguments are answered and what a tool raises is raised.
        **kwargs: Any other argument of `langchain.agents.create_agent`.

    Returns:
        The compiled graph.

    Raises:
        ValueError: If `handle_tool_errors` is given for an agent that runs no tools or beside a `ToolNode`, if a
            gate or rule would not gate what it says, or if two tools have one name where one is in force.

    Example:
        ```python
        from agentkit.agents import create_agent

        agent = create_agent("openai:gpt-5.5", [search], handle_tool_errors=True)
        ```
    """
    node = own_tool_node(tools) if isinstance(tools, ToolNode) else None
    if node is not None and handle_tool_errors is not None:
        raise ValueError("`handle_tool_errors` is given beside a ToolNode, which has its own. Give it to the ToolNode.")
    given = given_tools(tools)
    check_names(given, middleware, interrupt_on, permissions)
    if node is not None:
        given = list(node.tools_by_name.values())
    middleware = gate_middleware(
        interrupt_on=interrupt_on,
        permissions=permissions,
        middleware=middleware,
        tools=given,
        checkpointer=kwargs.get("checkpointer"),
    )
    own = [tool if isinstance(tool, dict) else readable_tool(tool) for tool in given]
    agent: Any = _create_agent(model, own, system_prompt=system_prompt, middleware=middleware, **kwargs)
    up.keep_off_loop(agent)
    made = up.tools_node(agent)
    if made is not None and node is not None:
        take_over(made, node, middleware)
    elif made is not None:
        mend(made, wrapper_names(middleware))
    if handle_tool_errors is not None:
        if made is None:
            raise ValueError("`handle_tool_errors` is given, but this agent has no tools whose errors it could handle.")
        up.set_error_policy(made, handle_tool_errors)
    return agent  # type: ignore[no-any-return]
