from langgraph.graph import START, MessagesState, StateGraph
from agentkit.prebuilt import ValidationNode
from pydantic import BaseModel

SCRIPT = [{"name": "Select", "args": {"number": 1}}]


class Select(BaseModel):
    """Select a number."""

    number: int


def build(model):
    builder = StateGraph(MessagesState)
    builder.add_node("model", lambda s: {"messages": [model.invoke(s["messages"])]})
    # TODO(agentkit): AK012 ValidationNode has no exact rewrite: see ValidationMiddleware
    builder.add_node("validation", ValidationNode([Select]))
    builder.add_edge(START, "model").add_edge("model", "validation")
    return builder.compile()
