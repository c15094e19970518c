# agent: make_agent("Ada", "physics")
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

TUTOR_PROMPT = """You are a tutor for {subject}.
The student is called {name}.
Never give the solution away."""


def check(answer: str) -> bool:
    """Check an answer."""
    return answer == "42"


def make_agent(name, subject):
    return create_react_agent(
        ChatOpenAI(model="gpt-4o"),
        [check],
        prompt=TUTOR_PROMPT.format(name=name, subject=subject),
    )
