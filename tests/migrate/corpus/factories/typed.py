from typing import Optional, Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import create_react_agent
from langgraph.types import Checkpointer


def create_agent(
    model: BaseChatModel,
    tools: Sequence[BaseTool],
    system_prompt: Optional[str] = None,
    checkpointer: Checkpointer = None,
) -> CompiledStateGraph:
    """Our own wrapper."""
    return create_react_agent(model, tools, prompt=system_prompt, checkpointer=checkpointer)
