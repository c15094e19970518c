# stays: AK004
# agent: build(custom=None)
from typing import Callable, Union

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

DEFAULT = "You are the default."


def build(custom: Union[str, Callable, None]):
    # may be a function of the state
    return create_react_agent(ChatOpenAI(), [], prompt=custom or DEFAULT)


print(build(lambda state: state["messages"]).invoke({"messages": [("user", "x")]})["messages"][-1].content)
