from langchain_core.prompts import ChatPromptTemplate
from agentkit.prebuilt import create_react_agent

PROMPT = ChatPromptTemplate.from_messages([("system", "Be brief."), ("placeholder", "{messages}")])


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # The template is a Runnable.
    # TODO(agentkit): AK004 prompt=PROMPT is no text or function that this file shows
    return create_react_agent(model, [add], prompt=PROMPT)
