from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.prebuilt import create_react_agent

from .tools import TOOLS

DB = "postgresql://localhost/agents"


@asynccontextmanager
async def lifespan(app: FastAPI):
    async with AsyncPostgresSaver.from_conn_string(DB) as saver:
        await saver.setup()
        app.state.agent = create_react_agent(ChatOpenAI(), TOOLS, checkpointer=saver)
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/chat/{thread}")
async def chat(thread: str, request: Request):
    body = await request.json()

    async def events():
        config = {"configurable": {"thread_id": thread}}
        async for token, metadata in app.state.agent.astream(
            {"messages": [("user", body["text"])]}, config, stream_mode="messages"
        ):
            if metadata["langgraph_node"] == "agent" and token.content:  # the model's words only
                yield token.content

    return StreamingResponse(events(), media_type="text/plain")
