from langgraph.errors import GraphRecursionError
from langgraph.prebuilt import create_react_agent

agent = create_react_agent("openai:gpt-4o", [])
RECURSION_LIMIT = 2 * 3 + 1
try:
    for chunk in agent.stream({}, {"recursion_limit": RECURSION_LIMIT}, stream_mode="values"):
        print(chunk["messages"][-1])
except GraphRecursionError:
    print("Agent stopped due to max iterations.")
