# stays: AK009
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def f(x: int) -> int:
    """f."""
    return x


tools = [f]
model = ChatOpenAI().bind_tools(tools).with_retry(stop_after_attempt=2)
agent = create_react_agent(model, tools)
