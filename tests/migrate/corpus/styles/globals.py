from langgraph.prebuilt import create_react_agent

AGENT = None


def get():
    global AGENT
    if AGENT is None:
        AGENT = create_react_agent("openai:gpt-4o", [])
    return AGENT


def show():
    for chunk in get().stream({"messages": []}):
        if chunk.get("agent"):
            print(chunk["agent"])
