# config: {"recursion_limit": 4}
# stays: AK018
# script: [call("dig", depth=1), call("dig", depth=2), call("dig", depth=3), "done"]
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def dig(depth: int) -> str:
    """Dig."""
    return "deeper"


agent = create_react_agent(ChatOpenAI(), [dig])
result = agent.invoke({"messages": [("user", "dig")]}, {"recursion_limit": 4})
# at the limit the agent says that it needs more steps
print("more steps" in result["messages"][-1].content)
