from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def area(w: float, h: float) -> float:
    """The area."""
    return w * h


agent = create_react_agent(ChatOpenAI(), tools=[area])
for event in agent.stream({"messages": [("user", "area of 2 by 3")]}, stream_mode="updates"):
    for node, values in event.items():
        if node == "agent":
            message = values["messages"][-1]
            if message.tool_calls:
                print("calls", [c["name"] for c in message.tool_calls])
            else:
                print("says", message.content)
        elif node == "tools":
            print("result", values["messages"][-1].content)
