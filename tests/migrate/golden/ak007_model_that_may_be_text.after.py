from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.chat_models import init_chat_model
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


import os

from pydantic import BaseModel


class City(BaseModel):
    name: str


MODELS = {"text": os.getenv("MODEL", "openai:gpt-5.5"), "object": model}
STRUCTURED = City(name="Rome")


model_2 = MODELS["object"]
structured_model = init_chat_model(model_2) if isinstance(model_2, str) else model_2


class StructuredResponse(AgentMiddleware):
    """Ends the run with one structured call to the model."""

    def after_agent(self, state, runtime):
        structured = structured_model.with_structured_output(City)
        return {"structured_response": structured.invoke(state["messages"])}

    async def aafter_agent(self, state, runtime):
        structured = structured_model.with_structured_output(City)
        return {"structured_response": await structured.ainvoke(state["messages"])}


agent = create_agent(model_2, [add], middleware=[StructuredResponse()])
