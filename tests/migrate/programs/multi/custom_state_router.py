# agent: graph
from typing import Literal

from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent


class RouterState(MessagesState):
    route: str


llm = ChatOpenAI()


def sql(query: str) -> str:
    """Run SQL."""
    return "1 row"


sql_agent = create_react_agent(llm, [sql], prompt="You write SQL.", name="sql_agent")
chat_agent = create_react_agent(llm, [], prompt="You chat.", name="chat_agent")


def route(state: RouterState):
    return {"route": "sql" if "table" in str(state["messages"][-1].content) else "chat"}


def pick(state: RouterState) -> Literal["sql_agent", "chat_agent"]:
    return f"{state['route']}_agent"


builder = StateGraph(RouterState)
builder.add_node("route", route)
builder.add_node("sql_agent", sql_agent)
builder.add_node("chat_agent", chat_agent)
builder.add_edge(START, "route")
builder.add_conditional_edges("route", pick)
builder.add_edge("sql_agent", END)
builder.add_edge("chat_agent", END)
graph = builder.compile()
for text in ("table of users", "hello"):
    print(graph.invoke({"messages": [("user", text)]})["messages"][-1].content)
