from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from langchain_core.tools import BaseTool


class Ask(BaseTool):
    name: str = "ask"
    description: str = "Ask a person."
    return_direct: bool = True

    def _run(self) -> str:
        return "asked"


agent = create_react_agent(model, [Ask(), add])
