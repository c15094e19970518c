# Nothing here is langgraph.prebuilt's, though the words are.
from langgraph.graph import START, MessagesState, StateGraph


def create_react_agent(model, tools):
    """A function of one's own with a famous name."""

    def answer(state):
        return {"messages": [model.invoke(state["messages"])]}

    return StateGraph(MessagesState).add_node("agent", answer).add_edge(START, "agent").compile()


SCRIPT = ["done"]


def build(model):
    return create_react_agent(model, [])
