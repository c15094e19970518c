from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def shrink(state):
    return {"llm_input_messages": state["messages"][-4:]}


def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(ChatOpenAI(), [f], pre_model_hook=shrink)
for chunk in agent.stream({"messages": [("user", "x")]}, stream_mode="updates"):
    if "pre_model_hook" in chunk:
        print("trimmed")
    elif "agent" in chunk:
        print("agent", chunk["agent"]["messages"][-1].content)
    else:
        print("tools")
