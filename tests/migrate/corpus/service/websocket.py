from fastapi import FastAPI, WebSocket
from langgraph.prebuilt import create_react_agent

app = FastAPI()
agent = create_react_agent("openai:gpt-4o", [])


@app.websocket("/ws")
async def ws(socket: WebSocket):
    await socket.accept()
    async for event in agent.astream_events({"messages": []}, version="v2"):
        kind = event["event"]
        if kind == "on_chat_model_stream" and event["metadata"]["langgraph_node"] == "agent":
            await socket.send_text(event["data"]["chunk"].content)
        elif kind == "on_chain_end" and event["name"] == "agent":
            break
