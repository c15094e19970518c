# agent: create_agent("coder", [run_code], "You write Python.")
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def run_code(code: str) -> str:
    """Run code."""
    return "ok"


def create_agent(agent_name: str, tools: list, prompt: str):
    """One place that makes every agent of ours."""
    return create_react_agent(name=agent_name, model=ChatOpenAI(), tools=tools, prompt=prompt)


coder = create_agent("coder", [run_code], "You write Python.")
print(coder.get_name())
