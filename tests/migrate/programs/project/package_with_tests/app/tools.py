from langchain_core.tools import tool


@tool
def version() -> str:
    """The version of the app."""
    return "1.2"


TOOLS = [version]
