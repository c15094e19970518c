# A limit of something that is no agent.
import sys

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

sys.setrecursionlimit(max(5000, sys.getrecursionlimit()))
MODEL_CONFIGS = {"local": {"recursion_limit": 100, "memory_size": 1000}}


def depth(tree: str) -> int:
    """The depth of a tree."""
    return tree.count("(")


agent = create_react_agent(ChatOpenAI(), [depth], prompt="You measure trees.")
print(MODEL_CONFIGS["local"]["memory_size"])
