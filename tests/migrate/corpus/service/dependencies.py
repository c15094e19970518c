from functools import lru_cache

from langchain.chat_models import init_chat_model
from langgraph.prebuilt import create_react_agent
from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    model: str = "openai:gpt-4o"
    system_prompt: str = "Be helpful."


@lru_cache
def get_agent():
    settings = Settings()
    llm = init_chat_model(settings.model)
    return create_react_agent(llm, tools=[], prompt=settings.system_prompt)
