# agent: get_agent()
import asyncio
import json
from functools import lru_cache

from fastapi import APIRouter, FastAPI
from fastapi import StreamingResponse
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

router = APIRouter(prefix="/api")


def lookup_user(user_id: int) -> dict:
    """Look a user up."""
    return {"id": user_id, "plan": "pro"}


@lru_cache(maxsize=1)
def get_agent():
    return create_react_agent(ChatOpenAI(model="gpt-4o"), [lookup_user], prompt="You know our users.")


@router.post("/stream")
async def stream(body: dict):
    async def events():
        async for chunk in get_agent().astream({"messages": [("user", body["q"])]}, stream_mode="updates"):
            if "agent" in chunk:
                for message in chunk["agent"]["messages"]:
                    if message.content:
                        yield f"data: {json.dumps({'text': message.content})}\n\n"
            if "tools" in chunk:
                yield f"data: {json.dumps({'tool': chunk['tools']['messages'][0].name})}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


app = FastAPI()
app.include_router(router)


async def main():
    response = await app.routes["/stream"]({"q": "plan of 7?"})
    async for line in response.content:
        print(line, end="")


if __name__ == "__main__":
    asyncio.run(main())
