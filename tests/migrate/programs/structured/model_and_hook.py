# structured: {"total": 3}
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel


class Total(BaseModel):
    total: int


def keep_last(state):
    return {"llm_input_messages": state["messages"][-5:]}


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


agent = create_react_agent(
    ChatOpenAI(),
    [add],
    prompt="You add.",
    pre_model_hook=keep_last,
    response_format=Total,
)
print(agent.invoke({"messages": [("user", "1+2")]})["structured_response"].total)
