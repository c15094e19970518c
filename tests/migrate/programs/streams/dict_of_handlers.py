# agent: none
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def f(x: int) -> int:
    """f."""
    return x


class Printer:
    def on_agent(self, update):
        print("agent", update["messages"][-1].content)

    def on_tools(self, update):
        print("tools", update["messages"][-1].content)


def consume(agent, text):
    printer = Printer()
    for chunk in agent.stream({"messages": [("user", text)]}, stream_mode="updates"):
        for name, update in chunk.items():
            getattr(printer, f"on_{name}", print)(update)


consume(create_react_agent(ChatOpenAI(), [f]), "x")
