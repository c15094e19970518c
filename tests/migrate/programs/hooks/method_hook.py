# agent: Learner().executor()
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class Learner:
    def __init__(self):
        self._learning_model = ChatOpenAI()
        self._seen = 0

    def _pre_model_hook(self, state):
        self._seen += 1
        return {"llm_input_messages": state["messages"][-8:]}

    def executor(self):
        def store(fact: str) -> str:
            """Store a fact."""
            return "stored"

        return create_react_agent(
            model=self._learning_model,
            tools=[store],
            pre_model_hook=self._pre_model_hook,
        )

    def learn(self, text):
        last = None
        for step in self.executor().stream({"messages": [HumanMessage(content=text)]}, stream_mode="values"):
            last = step["messages"][-1]
        return last.content, self._seen


print(Learner().learn("water is wet"))
