# agent: graph
import functools

from langchain_core.messages import AIMessage, HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent


def agent_node(state, agent, name):
    result = agent.invoke(state)
    return {"messages": [HumanMessage(content=result["messages"][-1].content, name=name)]}


def trends(topic: str) -> str:
    """Trends."""
    return f"{topic} is up"


llm = ChatOpenAI()
trend_agent = create_react_agent(llm, tools=[trends])
trend_node = functools.partial(agent_node, agent=trend_agent, name="Trends")
summary_agent = create_react_agent(llm, tools=[], prompt="You sum up.")
summary_node = functools.partial(agent_node, agent=summary_agent, name="Summary")

builder = StateGraph(MessagesState)
builder.add_node("Trends", trend_node)
builder.add_node("Summary", summary_node)
builder.add_edge(START, "Trends")
builder.add_edge("Trends", "Summary")
builder.add_edge("Summary", END)
graph = builder.compile()
