"""Shows what comes; knows nothing of the agent."""


def show(chunk):
    if "agent" in chunk:
        print("agent:", chunk["agent"]["messages"][-1].content)
    elif "tools" in chunk:
        print("tools:", chunk["tools"]["messages"][-1].content)
