from langgraph.prebuilt import create_react_agent
from scripted import model as small

large = small


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


tools = [add]


def pick(state, runtime):
    chosen = large if len(state["messages"]) > 2 else small
    if chosen is large:
        return large.bind_tools(tools)
    return small.bind_tools(tools)


agent = create_react_agent(pick, tools, prompt="Be brief.")
