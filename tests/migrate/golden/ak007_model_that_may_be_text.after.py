from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
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


class StructuredResponse(AgentMiddleware):
    """Ends the run with one structured call to the model."""

    def after_agent(self, state, runtime):
        structured = model_2.with_structured_output(City)
        return {"structured_response": structured.invoke(state["messages"])}

    async def aafter_agent(self, state, runtime):
        structured = model_2.with_structured_output(City)
        return {"structured_response": await structured.ainvoke(state["messages"])}


agent = create_agent(model_2, [add], middleware=[StructuredResponse()])
