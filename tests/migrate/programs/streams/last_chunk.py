# agent: create_graph_agent()
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def tile(tile_id: str) -> str:
    """Inspect a tile."""
    return f"{tile_id}: cloudy"


def create_graph_agent():
    return create_react_agent(ChatOpenAI(), [tile], prompt="You inspect tiles.")


if __name__ == "__main__":
    app = create_graph_agent()
    for chunk in app.stream({"messages": [HumanMessage(content="why?")]}):
        if "agent" in chunk:
            print("thinking...")
        elif "tools" in chunk:
            print("using a tool...")
    final_response = chunk["agent"]["messages"][-1].content
    print(final_response)
