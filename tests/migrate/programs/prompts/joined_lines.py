from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

rules = ["Be brief.", "Cite."]
system_prompt = "\n".join(f"- {rule}" for rule in rules)


def cite(key: str) -> str:
    """Cite."""
    return f"[{key}]"


agent = create_react_agent(ChatOpenAI(), [cite], prompt=system_prompt)
