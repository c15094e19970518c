from langchain_openai import ChatOpenAI

from compat import ToolNode, create_react_agent


def size(path: str) -> int:
    """The size of a file."""
    return 10


node = ToolNode([size])
agent = create_react_agent(ChatOpenAI(), [size], prompt="You measure.")
