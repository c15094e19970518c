# agent: graph
from typing import Literal

from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent
from langgraph.types import Command

llm = ChatOpenAI(model="gpt-4o")


def search(query: str) -> str:
    """Search."""
    return "found"


def run(code: str) -> str:
    """Run code."""
    return "1"


research_agent = create_react_agent(llm, tools=[search], prompt="You are a researcher. DO NOT do any math.")
code_agent = create_react_agent(llm, tools=[run])


def supervisor_node(state: MessagesState) -> Command[Literal["researcher", "coder", "__end__"]]:
    names = {m.name for m in state["messages"] if m.name}
    for member in ("researcher", "coder"):
        if member not in names:
            return Command(goto=member)
    return Command(goto=END)


def research_node(state: MessagesState) -> Command[Literal["supervisor"]]:
    result = research_agent.invoke(state)
    return Command(
        update={"messages": [HumanMessage(content=result["messages"][-1].content, name="researcher")]},
        goto="supervisor",
    )


def code_node(state: MessagesState) -> Command[Literal["supervisor"]]:
    result = code_agent.invoke(state)
    return Command(
        update={"messages": [HumanMessage(content=result["messages"][-1].content, name="coder")]},
        goto="supervisor",
    )


builder = StateGraph(MessagesState)
builder.add_edge(START, "supervisor")
builder.add_node("supervisor", supervisor_node)
builder.add_node("researcher", research_node)
builder.add_node("coder", code_node)
graph = builder.compile()

for s in graph.stream({"messages": [("user", "square root of 42?")]}, subgraphs=False):
    print(list(s))
