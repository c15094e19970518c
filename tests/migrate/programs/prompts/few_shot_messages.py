from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

EXAMPLES = [HumanMessage("2 apples"), AIMessage("2 x apple")]


def with_examples(state):
    return [SystemMessage("You note orders."), *EXAMPLES, *state["messages"]]


def order(item: str, number: int) -> str:
    """Order."""
    return f"{number} x {item}"


agent = create_react_agent(ChatOpenAI(), [order], prompt=with_examples)
