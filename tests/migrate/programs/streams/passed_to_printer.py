from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def shout(text: str) -> str:
    """Shout."""
    return text.upper()


def print_stream(stream):
    for s in stream:
        message = s["messages"][-1]
        if isinstance(message, tuple):
            print(message)
        else:
            message.pretty_print()


agent = create_react_agent(ChatOpenAI(model="gpt-4o"), tools=[shout])
print_stream(agent.stream({"messages": [("user", "shout hi")]}, stream_mode="values"))
