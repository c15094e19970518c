# stays: AK004
# agent: Agents().build("helper")
import json
from pathlib import Path

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class Agents:
    def __init__(self):
        self.config = json.loads((Path(__file__).parent / "agents.json").read_text())

    def build(self, name):
        def help_me(topic: str) -> str:
            """Help."""
            return topic

        settings = self.config[name]
        return create_react_agent(
            ChatOpenAI(model=settings["model"]), [help_me], prompt=settings["prompt"], name=name
        )
