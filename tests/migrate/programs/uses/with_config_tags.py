from langchain_core.callbacks import BaseCallbackHandler
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class ToolLog(BaseCallbackHandler):
    def __init__(self):
        self.started = []

    def on_tool_start(self, serialized, input_str, **kwargs):
        self.started.append(serialized["name"])


def paint(color: str) -> str:
    """Paint."""
    return color


agent = create_react_agent(ChatOpenAI(), [paint], prompt="You paint.")
log = ToolLog()
agent.with_config(tags=["art"], run_name="painter").invoke({"messages": [("user", "red")]}, {"callbacks": [log]})
print(log.started)
