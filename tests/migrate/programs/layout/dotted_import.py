import langgraph.prebuilt
from langchain_openai import ChatOpenAI


class Factory:
    def llm(self, kind):
        return ChatOpenAI(model=kind)


def lookup(word: str) -> str:
    """Look up."""
    return word


def create_worker(name: str, llm_type: str = "basic", prompt: str = None, tools: list = []):
    """Create a worker agent."""
    model = Factory().llm(llm_type)
    return langgraph.prebuilt.create_react_agent(model, tools, prompt=prompt, name=name)


agent = create_worker("w", prompt="You work.", tools=[lookup])
