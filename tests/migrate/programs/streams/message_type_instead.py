from langchain_core.messages import AIMessageChunk, ToolMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(ChatOpenAI(), [f])
for token, _ in agent.stream({"messages": [("user", "x")]}, stream_mode="messages"):
    if isinstance(token, AIMessageChunk) and token.content:
        print(token.content)
    elif isinstance(token, ToolMessage):
        print("tool", token.name)
