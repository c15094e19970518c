# script: [[call("book", seat="x"), call("nope")], "Sorry.", "x"]
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def book(seat: int) -> str:
    """Book a seat."""
    return f"seat {seat}"


agent = create_react_agent(ChatOpenAI(), [book])
