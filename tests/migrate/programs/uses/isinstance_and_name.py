from langchain_openai import ChatOpenAI
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import create_react_agent


def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(ChatOpenAI(), [f], name="effer")
assert isinstance(agent, CompiledStateGraph)
print(agent.name, agent.get_name(), type(agent).__name__)
