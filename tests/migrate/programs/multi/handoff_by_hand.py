# agent: graph
# script: [call("transfer_to_hotels"), "Take the Ritz."]
from typing import Annotated

from langchain_core.tools import InjectedToolCallId, tool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, create_react_agent
from langgraph.types import Command


def create_handoff_tool(*, agent_name: str, description: str | None = None):
    name = f"transfer_to_{agent_name}"
    description = description or f"Transfer to {agent_name}"

    @tool(name, description=description)
    def handoff_tool(
        state: Annotated[MessagesState, InjectedState],
        tool_call_id: Annotated[str, InjectedToolCallId],
    ) -> Command:
        tool_message = {
            "role": "tool",
            "content": f"Successfully transferred to {agent_name}",
            "name": name,
            "tool_call_id": tool_call_id,
        }
        return Command(
            goto=agent_name,
            update={"messages": state["messages"] + [tool_message]},
            graph=Command.PARENT,
        )

    return handoff_tool


def book_hotel(hotel_name: str):
    """Book a hotel"""
    return f"Successfully booked a stay at {hotel_name}."


def book_flight(from_airport: str, to_airport: str):
    """Book a flight"""
    return f"Successfully booked a flight from {from_airport} to {to_airport}."


llm = ChatOpenAI(model="gpt-4o")
flights = create_react_agent(
    model=llm,
    tools=[book_flight, create_handoff_tool(agent_name="hotels", description="For hotels.")],
    prompt="You are a flight booking assistant",
    name="flights",
)
hotels = create_react_agent(
    model=llm,
    tools=[book_hotel, create_handoff_tool(agent_name="flights", description="For flights.")],
    prompt="You are a hotel booking assistant",
    name="hotels",
)
graph = (
    StateGraph(MessagesState)
    .add_node("flights", flights, destinations=("hotels",))
    .add_node("hotels", hotels, destinations=("flights",))
    .add_edge(START, "flights")
    .compile()
)
