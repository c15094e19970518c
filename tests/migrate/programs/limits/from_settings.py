# agent: Settings and agent
# config: {"recursion_limit": 15}
from dataclasses import dataclass

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


@dataclass
class Settings:
    model: str = "gpt-4o"
    max_steps: int = 7


settings = Settings()


def probe(name: str) -> str:
    """Probe."""
    return name * 2


agent = create_react_agent(ChatOpenAI(model=settings.model), [probe], prompt="You probe.")


def run(question: str) -> str:
    config = {
        "configurable": {"thread_id": "x"},
        "recursion_limit": settings.max_steps * 2 + 1,
    }
    return agent.invoke({"messages": [("user", question)]}, config=config)["messages"][-1].content


if __name__ == "__main__":
    print(run("probe it"))
