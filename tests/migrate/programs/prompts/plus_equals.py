from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

EXAMPLES = ["2+2=4", "3+3=6"]
instructions = "You add.\n"
for example in EXAMPLES:
    instructions += f"Example: {example}\n"


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


agent = create_react_agent(ChatOpenAI(), [add], prompt=instructions)
