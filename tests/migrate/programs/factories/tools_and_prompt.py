# agent: build_agent()
from langchain_anthropic import ChatAnthropic
from langgraph.prebuilt import create_react_agent

SYSTEM_PROMPT = """\
You check specs.
- Be terse.
- Print one summary line.
"""


def list_repos() -> list[str]:
    """List the repositories."""
    return ["a", "b"]


ALL_TOOLS = [list_repos]


def build_agent():
    model = ChatAnthropic(model="claude-sonnet-4-6", max_tokens=8096)
    return create_react_agent(model=model, tools=ALL_TOOLS, prompt=SYSTEM_PROMPT)
