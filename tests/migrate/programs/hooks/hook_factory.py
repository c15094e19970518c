# agent: create_data_agent([rows])
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

DEBUG = False


def rows(table: str) -> int:
    """Rows of a table."""
    return 10


def _make_logging_hook(label):
    def hook(state):
        if DEBUG:
            print(label, len(state["messages"]))
        return {"llm_input_messages": state["messages"]}

    return hook


def create_data_agent(tools: list):
    return create_react_agent(ChatOpenAI(), tools, pre_model_hook=_make_logging_hook("PRE"))
