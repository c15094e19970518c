# historical
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent

system_prompt = """
    You do sums and nothing else.
    """


def multiply(a: float, b: float) -> float:
    """Multiply."""
    return a * b


checkpointer = MemorySaver()
maths_agent = agent = create_react_agent(
    model=ChatOpenAI(),
    tools=[multiply],
    state_modifier=system_prompt,
    debug=False,
    checkpointer=checkpointer,
)
