from langchain_core.messages import AnyMessage, SystemMessage
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState


class State(AgentState):
    user: str


INPUTS = [{"messages": [("user", "hi")], "user": "Ada"}, {"messages": [("user", "again")]}]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state: State) -> list[AnyMessage]:
    """Greet the user."""
    user = state["user"]  # set by the caller
    if len(state["messages"]) > 3:
        return [SystemMessage(f"Be quick, {user} waits."), *state["messages"]]
    return [SystemMessage(content=f"Help {user}.")] + state["messages"]


def build(model):
    return create_react_agent(model, [add], prompt=prompt, state_schema=State)
