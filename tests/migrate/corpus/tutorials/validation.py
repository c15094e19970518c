from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import MessagesState
from langgraph.prebuilt import ValidationNode
from pydantic import BaseModel, field_validator


class SelectNumber(BaseModel):
    a: int

    @field_validator("a")
    def a_must_be_meaningful(cls, v):
        if v != 37:
            raise ValueError("Only 37 is allowed")
        return v


llm = ChatOpenAI().bind_tools([SelectNumber])
builder = StateGraph(MessagesState)
builder.add_node("model", lambda s: {"messages": [llm.invoke(s["messages"])]})
# Checks the calls, runs nothing.
builder.add_node("validation", ValidationNode([SelectNumber]))
builder.add_edge(START, "model")
builder.add_edge("model", "validation")
builder.add_edge("validation", END)
graph = builder.compile()
