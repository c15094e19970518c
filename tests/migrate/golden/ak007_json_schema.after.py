from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware

STRUCTURED = {"city": "Rome"}


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    response_schema = {"title": "City", "type": "object", "properties": {"city": {"type": "string"}}}

    class StructuredResponse(AgentMiddleware):
        """Ends the run with one structured call to the model."""

        def after_agent(self, state, runtime):
            structured = model.with_structured_output(response_schema)
            return {"structured_response": structured.invoke(state["messages"])}

        async def aafter_agent(self, state, runtime):
            structured = model.with_structured_output(response_schema)
            return {"structured_response": await structured.ainvoke(state["messages"])}

    return create_agent(
        model,
        [add],
        system_prompt="Be brief.",
        middleware=[StructuredResponse()],
    )
