from pathlib import Path

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

HERE = Path(__file__).parent
system_prompt = (HERE / "from_file.txt").read_text() if (HERE / "from_file.txt").exists() else "You are terse."


def count(items: list[str]) -> int:
    """Count."""
    return len(items)


agent = create_react_agent(ChatOpenAI(), [count], prompt=system_prompt)
