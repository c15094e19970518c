from agentkit.prebuilt import create_react_agent
from langgraph.prebuilt import ToolNode


class Loud(ToolNode):
    def _func(self, input, config, runtime):
        return super()._func(input, config, runtime)


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK013 Loud is a ToolNode of your own
    return create_react_agent(model, Loud([add]))
