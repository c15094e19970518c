from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def f(x: int) -> int:
    """f."""
    return x


small, large = ChatOpenAI(model="small"), ChatOpenAI(model="large")


def choose(state, runtime):
    if len(state["messages"]) > 4:
        return large.bind_tools([f])
    return small.bind_tools([f])


agent = create_react_agent(choose, [f], prompt="You f.")
