from langgraph.prebuilt import create_react_agent


class Agent:
    _instance = None

    def __new__(cls, *args):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __init__(self, llm=None):
        self.executor = create_react_agent(llm, []) if llm else None
