# agent: build(True)
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

LOG = []


def log_hook(state):
    LOG.append(len(state["messages"]))
    return {}


def f(x: int) -> int:
    """f."""
    return x


def build(debug=False):
    llm = ChatOpenAI()
    if debug:
        return create_react_agent(llm, [f], post_model_hook=log_hook)
    return create_react_agent(llm, [f])
