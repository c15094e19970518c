from agentkit.prebuilt import create_react_agent
from langchain.agents import AgentState


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state: AgentState):
    return [("system", f"{state['remaining_steps'] > 2}"), *state["messages"]]


def build(model):
    # TODO(agentkit): AK018 the file reads remaining_steps, which create_agent does not have
    return create_react_agent(model, [add], prompt=prompt)
