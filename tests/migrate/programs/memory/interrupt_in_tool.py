# inputs: [{"messages": [("user", "book")]}, Command(resume={"type": "accept"})]
# script: [call("book_hotel", name="Ritz"), "Booked."]
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph.types import interrupt


def book_hotel(name: str):
    """Book a hotel"""
    response = interrupt(f"Trying to book {name}. Accept or suggest edits.")
    if response["type"] == "accept":
        pass
    elif response["type"] == "edit":
        name = response["args"]["hotel_name"]
    return f"Successfully booked a stay at {name}."


checkpointer = InMemorySaver()
agent = create_react_agent(model=ChatOpenAI(), tools=[book_hotel], checkpointer=checkpointer)
