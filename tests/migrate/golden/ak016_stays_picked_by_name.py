from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Printer:
    def on_agent(self, update):
        print(update)


def show(agent, question):
    for chunk in agent.stream(question):
        for name, update in chunk.items():
            getattr(Printer(), f"on_{name}", print)(update)


def build(model):
    agent = create_react_agent(model, [add])
    show(agent, {"messages": []}) if False else None
    return agent
