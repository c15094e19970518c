from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent


def make_team(llm, members: dict[str, list]):
    """One sub-graph for each team."""
    builder = StateGraph(MessagesState)
    for name, tools in members.items():
        builder.add_node(name, create_react_agent(llm, tools, name=name))
        builder.add_edge(START, name)
    return builder.compile()
