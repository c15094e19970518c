from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

import prompts
from prompts import REVIEW_PROMPT


def diff(path: str) -> str:
    """Show a diff."""
    return f"+ {path}"


llm = ChatOpenAI()
agent = create_react_agent(llm, [diff], prompt=prompts.CODER)
reviewer = create_react_agent(llm, [diff], prompt=REVIEW_PROMPT)
print(reviewer.invoke({"messages": [("user", "review")]})["messages"][-1].content)
