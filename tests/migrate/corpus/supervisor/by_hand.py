from typing import Literal

from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent
from langgraph.types import Command

llm = ChatOpenAI(model="gpt-4o")
research_agent = create_react_agent(llm, tools=[], prompt="You research.")


def research_node(state: MessagesState) -> Command[Literal["supervisor"]]:
    result = research_agent.invoke(state)
    return Command(
        update={"messages": [HumanMessage(content=result["messages"][-1].content, name="researcher")]},
        goto="supervisor",
    )


code_agent = create_react_agent(llm, tools=[])


def code_node(state: MessagesState) -> Command[Literal["supervisor"]]:
    result = code_agent.invoke(state)
    return Command(update={"messages": result["messages"][-1:]}, goto="supervisor")


builder = StateGraph(MessagesState)
builder.add_node("researcher", research_node)
builder.add_node("coder", code_node)
builder.add_edge(START, "researcher")
graph = builder.compile()
