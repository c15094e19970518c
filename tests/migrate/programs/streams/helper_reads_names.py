from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def shelf(book: str) -> str:
    """Where is the book?"""
    return "B4"


def show(chunk):
    if "agent" in chunk:
        print("model:", chunk["agent"]["messages"][-1].content)
    elif "tools" in chunk:
        print("tool:", chunk["tools"]["messages"][-1].content)


agent = create_react_agent(ChatOpenAI(), [shelf])
for chunk in agent.stream({"messages": [("user", "where is Momo")]}):
    show(chunk)
