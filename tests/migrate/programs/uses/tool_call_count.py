from langchain_core.messages import AIMessage, ToolMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def a(x: int) -> int:
    """a."""
    return x


def b(x: int) -> int:
    """b."""
    return -x


agent = create_react_agent(ChatOpenAI(), [a, b])
out = agent.invoke({"messages": [("user", "both")]})
calls = [c["name"] for m in out["messages"] if isinstance(m, AIMessage) for c in m.tool_calls]
results = [m.content for m in out["messages"] if isinstance(m, ToolMessage)]
print(calls, results)
