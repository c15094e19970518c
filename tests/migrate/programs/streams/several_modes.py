from langchain_openai import ChatOpenAI
from langgraph.config import get_stream_writer
from langgraph.prebuilt import create_react_agent


def crunch(rows: int) -> str:
    """Crunch rows."""
    writer = get_stream_writer()
    for row in range(rows):
        writer({"row": row})
    return f"{rows} rows"


agent = create_react_agent(ChatOpenAI(), [crunch])
for mode, chunk in agent.stream({"messages": [("user", "go")]}, stream_mode=["updates", "custom"]):
    if mode == "custom":
        print("progress", chunk)
    elif mode == "updates" and "agent" in chunk:
        print("agent", chunk["agent"]["messages"][0].content)
