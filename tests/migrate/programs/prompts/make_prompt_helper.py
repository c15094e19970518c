from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def make_system_prompt(suffix: str) -> str:
    return (
        "You are a helpful AI assistant, one of several."
        " Use your tools to move the question forward."
        f"\n{suffix}"
    )


def chart(values: str) -> str:
    """Draw a chart."""
    return f"chart of {values}"


llm = ChatOpenAI()
agent = create_react_agent(llm, tools=[chart], prompt=make_system_prompt("You only draw charts."))
