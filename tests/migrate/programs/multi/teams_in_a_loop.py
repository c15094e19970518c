# agent: graph
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent

llm = ChatOpenAI()


def fetch(url: str) -> str:
    """Fetch."""
    return "text"


def chart(data: str) -> str:
    """Chart."""
    return "png"


ROLES = {
    "scraper": ([fetch], "You scrape pages."),
    "artist": ([chart], "You draw charts."),
}
builder = StateGraph(MessagesState)
previous = START
for role, (tools, prompt) in ROLES.items():
    builder.add_node(role, create_react_agent(llm, tools, name=role))
    builder.add_edge(previous, role)
    previous = role
graph = builder.compile()
