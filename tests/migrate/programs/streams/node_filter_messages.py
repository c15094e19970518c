# agent: none
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def lookup(term: str) -> str:
    """Look up."""
    return f"{term} is a word"


agent = create_react_agent(ChatOpenAI(streaming=True), [lookup], prompt="You explain words.")

for token, metadata in agent.stream({"messages": [("user", "what is a cat")]}, stream_mode="messages"):
    if metadata["langgraph_node"] == "agent" and token.content:
        print(token.content, end="|")
    elif metadata["langgraph_node"] == "tools":
        print(f"\n[{token.name}] {token.content}")
