# agent: make(CONFIG)
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

CONFIG = {"model": "gpt-4o", "system_prompt": "You tidy up.", "verbose": False}


def tidy(room: str) -> str:
    """Tidy."""
    return f"{room} is tidy"


def make(config):
    return create_react_agent(
        ChatOpenAI(model=config["model"]), [tidy], prompt=config["system_prompt"], debug=config["verbose"]
    )
