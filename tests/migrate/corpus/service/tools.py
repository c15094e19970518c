from langchain_core.tools import tool


@tool
def ping() -> str:
    """Answer."""
    return "pong"


TOOLS = [ping]
