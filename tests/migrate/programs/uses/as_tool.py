from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

llm = ChatOpenAI()


def page(url: str) -> str:
    """Read a page."""
    return "words"


reader = create_react_agent(llm, [page], prompt="You read.", name="reader")


def read(question: str) -> str:
    """Ask the reader."""
    *_, last = reader.stream({"messages": [("user", question)]}, stream_mode="values")
    return last["messages"][-1].content


agent = create_react_agent(llm, [read], prompt="You ask the reader.", name="asker")
