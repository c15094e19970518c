from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def trim_context(state):
    return {"llm_input_messages": state["messages"][-10:]}


def read(url: str) -> str:
    """Read."""
    return "page"


agent = create_react_agent(
    ChatOpenAI(), [read], prompt="You read.", pre_model_hook=RunnableLambda(trim_context)
)
