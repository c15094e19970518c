import textwrap

from langchain_core.messages import SystemMessage
from langchain.agents import create_agent

LANGUAGE = "French"
PROMPT = textwrap.dedent(
    """
    You add numbers.
    """
).strip()
MESSAGE = SystemMessage(content=f"Answer in {LANGUAGE}.")


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Factory:
    def __init__(self, extra: str = ""):
        self.prompt = PROMPT + extra

    def build(self, model):
        return create_agent(model, [add], system_prompt=self.prompt, name="one")


def other(model, prompt: str | None = None):
    return create_agent(model, [add], system_prompt=prompt)


def third(model):
    return create_agent(model, [add], system_prompt=MESSAGE)


def build(model):
    return Factory(" Be brief.").build(model)
