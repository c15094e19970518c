# agent: app.state.agent
import asyncio

from fastapi import FastAPI, HTTPException
from langchain_core.messages import HumanMessage
from langchain_google_genai import ChatGoogleGenerativeAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel

app = FastAPI(title="Negotiator")


class ChatRequest(BaseModel):
    message: str
    thread_id: str = "default"


def quote(product: str) -> float:
    """Quote a price."""
    return 499.0


memory = MemorySaver()
model = ChatGoogleGenerativeAI(model="gemini-1.5-flash", temperature=0.5)
app.state.agent = create_react_agent(model, tools=[quote], checkpointer=memory)


@app.post("/chat")
async def chat(request: ChatRequest):
    try:
        result = await app.state.agent.ainvoke(
            {"messages": [HumanMessage(content=request.message)]},
            config={"configurable": {"thread_id": request.thread_id}},
        )
    except Exception as e:
        raise HTTPException(status_code=500, detail=str(e))
    return {"response": result["messages"][-1].content, "history": len(result["messages"])}


if __name__ == "__main__":
    print(asyncio.run(app.routes["/chat"](ChatRequest(message="a vacuum cleaner, please"))))
