# historical
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def magic(input: int) -> int:
    """Applies a magic function to an input."""
    return input + 2


query = "what is the value of magic(3)?"
agent = create_react_agent(ChatOpenAI(), [magic], messages_modifier=SystemMessage("Respond only in Spanish"))
messages = agent.invoke({"messages": [("user", query)]})
print(messages["messages"][-1].content)
