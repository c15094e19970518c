from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel


class Settings(BaseModel):
    model_name: str = "gpt-4o-mini"
    system_prompt: str = "You plan meals."


settings = Settings()


def menu(day: str) -> str:
    """Menu of a day."""
    return "soup"


agent = create_react_agent(ChatOpenAI(model=settings.model_name), [menu], prompt=settings.system_prompt)
