from langchain_core.tools import tool
from langgraph.prebuilt import create_react_agent


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
def multiply(a: int, b: int) -> int:
    """Multiply two numbers."""
    return a * b


tools = [add, multiply]
agent = create_react_agent("openai:gpt-4.1", tools)
response = agent.invoke({"messages": "what is (2 + 2) * 2?"})
for message in response["messages"]:
    print(f"{message.type}: {message.content}")
