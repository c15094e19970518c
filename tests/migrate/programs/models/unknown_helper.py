# stays: AK009
from langchain_core.language_models import LanguageModelLike
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def with_logging(model: LanguageModelLike) -> LanguageModelLike:
    return model.with_config(tags=["logged"])


def lookup(key: str) -> str:
    """Look up."""
    return key


model = with_logging(ChatOpenAI().bind_tools([lookup]))
agent = create_react_agent(model, [lookup])
