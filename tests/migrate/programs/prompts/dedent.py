# agent: create("x")
from textwrap import dedent

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

SYSTEM = dedent(
    """\
    You review pull requests.

    Be kind.
    """
)


def create(repo: str):
    def files() -> list[str]:
        """The changed files."""
        return [repo]

    return create_react_agent(ChatOpenAI(), [files], prompt=SYSTEM)
