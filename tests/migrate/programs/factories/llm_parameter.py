# agent: create_researcher(get_llm(), [search])
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool, tool
from langchain_openai import ChatOpenAI
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import create_react_agent


@tool
def search(query: str) -> str:
    """Search."""
    return "nothing found"


def get_llm(temperature: float = 0.0) -> BaseChatModel:
    return ChatOpenAI(model="gpt-4o", temperature=temperature)


def create_researcher(llm: BaseChatModel, tools: list[BaseTool]) -> CompiledStateGraph:
    return create_react_agent(
        llm,
        tools=tools,
        name="researcher",
        prompt="You research.",
    )
