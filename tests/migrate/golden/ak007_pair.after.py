from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import SystemMessage
from pydantic import BaseModel

STRUCTURED = {"city": "Rome"}


class City(BaseModel):
    city: str


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    response_prompt, response_schema = ("Name the city.", City)

    class StructuredResponse(AgentMiddleware):
        """Ends the run with one structured call to the model."""

        def after_agent(self, state, runtime):
            structured = model.with_structured_output(response_schema)
            return {"structured_response": structured.invoke([SystemMessage(response_prompt), *state["messages"]])}

        async def aafter_agent(self, state, runtime):
            structured = model.with_structured_output(response_schema)
            return {"structured_response": await structured.ainvoke([SystemMessage(response_prompt), *state["messages"]])}

    return create_agent(model, [add], middleware=[StructuredResponse()])
