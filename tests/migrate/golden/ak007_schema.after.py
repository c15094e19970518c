from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from pydantic import BaseModel

STRUCTURED = {"city": "Rome"}


class City(BaseModel):
    city: str


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    class StructuredResponse(AgentMiddleware):
        """Ends the run with one structured call to the model."""

        def after_agent(self, state, runtime):
            structured = model.with_structured_output(City)
            return {"structured_response": structured.invoke(state["messages"])}

        async def aafter_agent(self, state, runtime):
            structured = model.with_structured_output(City)
            return {"structured_response": await structured.ainvoke(state["messages"])}

    return create_agent(model, [add], middleware=[StructuredResponse()])
