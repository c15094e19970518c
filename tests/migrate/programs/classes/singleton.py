# agent: get_service().agent
import threading

from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent

_service = None
_lock = threading.Lock()


class Service:
    def __init__(self):
        self.memory = MemorySaver()
        self.agent = None
        self.initialize()

    def initialize(self):
        def status() -> str:
            """Status."""
            return "up"

        self.agent = create_react_agent(ChatOpenAI(), [status], checkpointer=self.memory, prompt="You report.")


def get_service():
    global _service
    with _lock:
        if _service is None:
            _service = Service()
    return _service
