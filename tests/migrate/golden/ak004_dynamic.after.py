from langchain_core.messages import AnyMessage, SystemMessage
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRequest, dynamic_prompt
from langchain.agents import AgentState


class State(AgentState):
    user: str


INPUTS = [{"messages": [("user", "hi")], "user": "Ada"}, {"messages": [("user", "again")]}]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@dynamic_prompt
def prompt(request: ModelRequest) -> str:
    """Greet the user."""
    state = request.state
    user = state["user"]  # set by the caller
    if len(state["messages"]) > 3:
        return f"Be quick, {user} waits."
    return f"Help {user}."


def build(model):
    return create_agent(model, [add], middleware=[prompt], state_schema=State)
