# inputs: [{"messages": [("user", "pay")]}, Command(resume="yes")]
# script: [call("pay", amount=3), "Paid."]
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph.types import interrupt


def ask_first(state):
    last = state["messages"][-1]
    if isinstance(last, AIMessage) and last.tool_calls:
        answer = interrupt({"question": "Go on?", "calls": [c["name"] for c in last.tool_calls]})
        if answer != "yes":
            return {"messages": [AIMessage(content="Stopped.", id=last.id)]}
    return {}


def pay(amount: float) -> str:
    """Pay."""
    return f"paid {amount}"


agent = create_react_agent(ChatOpenAI(), [pay], post_model_hook=ask_first, checkpointer=InMemorySaver())
