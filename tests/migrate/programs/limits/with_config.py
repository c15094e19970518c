from langchain_openai import ChatOpenAI
from langgraph.errors import GraphRecursionError
from langgraph.prebuilt import create_react_agent

max_iterations = 3
recursion_limit = 2 * max_iterations + 1


def magic(input: int) -> int:
    """Magic."""
    return input + 2


agent = create_react_agent(ChatOpenAI(), tools=[magic])
agent_with_recursion_limit = agent.with_config(recursion_limit=recursion_limit)
try:
    for chunk in agent_with_recursion_limit.stream({"messages": [("human", "magic of 3?")]}, stream_mode="values"):
        print(chunk["messages"][-1].content)
except GraphRecursionError:
    print("Agent stopped due to max iterations.")
