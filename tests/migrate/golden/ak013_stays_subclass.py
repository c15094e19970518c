from langgraph.prebuilt import ToolNode, create_react_agent


class Loud(ToolNode):
    def _func(self, input, config, runtime):
        return super()._func(input, config, runtime)


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, Loud([add]))
