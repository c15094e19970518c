from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent


class Assistant:
    def __init__(self, llm, limit: int = 10):
        self.limit = limit
        self.agent = create_react_agent(
            llm,
            [self.lookup],
            pre_model_hook=self._trim,  # keep it short
            prompt="You help.",
            checkpointer=MemorySaver(),
        )

    def lookup(self, term: str) -> str:
        """Look up."""
        return term

    def _trim(self, state):
        return {"llm_input_messages": state["messages"][-self.limit :]}

    def ask(self, text: str, thread: str):
        config = {"configurable": {"thread_id": thread}}
        for chunk in self.agent.stream({"messages": [("user", text)]}, config, stream_mode="updates"):
            if "agent" in chunk:
                yield chunk["agent"]["messages"][-1].content
            elif "pre_model_hook" in chunk:
                continue
