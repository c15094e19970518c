from langgraph.prebuilt import create_react_agent


def run(question, agent=create_react_agent("openai:gpt-4o", [], prompt="x")):
    return agent.invoke(question)


class Holder:
    agent = create_react_agent("openai:gpt-4o", [])
    other = property(lambda self: create_react_agent(self.model, []))
