# agent: AGENTS["b"]
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def one(x: int) -> int:
    """One."""
    return 1


llm = ChatOpenAI()
AGENTS = {name: create_react_agent(llm, [one], prompt=f"You are {name}.", name=name) for name in "ab"}
pair = [create_react_agent(llm, []), create_react_agent(llm, [one], version="v2")]
make = lambda: create_react_agent(llm, [one])  # noqa: E731
print(len(AGENTS), len(pair), make().invoke({"messages": [("user", "1")]})["messages"][-1].content)
