# agent: build(["calc"])
from langchain_core.tools import BaseTool, tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


@tool
def calc(expression: str) -> str:
    """Calculate."""
    return "4"


@tool
def clock() -> str:
    """The time."""
    return "noon"


TOOLS: dict[str, BaseTool] = {t.name: t for t in (calc, clock)}


def get_tools(names: list[str]) -> list[BaseTool]:
    return [TOOLS[name] for name in names]


def build(names):
    tools = get_tools(names) + [clock]
    return create_react_agent(ChatOpenAI(), tools=tools, prompt="You use tools.")
