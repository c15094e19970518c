from langchain_openai import ChatOpenAI

try:
    from langgraph.prebuilt import create_react_agent
except ImportError:  # pragma: no cover
    raise SystemExit("pip install langgraph")


def echo(text: str) -> str:
    """Echo."""
    return text


agent = create_react_agent(ChatOpenAI(), [echo], prompt="You echo.")
