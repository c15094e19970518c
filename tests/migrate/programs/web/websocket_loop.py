# agent: none
# historical
import asyncio
import json

from langchain_google_genai import ChatGoogleGenerativeAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent

system_prompt = "You help people plan a route."


class Socket:
    def __init__(self, texts):
        self.texts = list(texts)

    async def receive_json(self):
        return {"event": "query", "data": self.texts.pop(0)}

    async def send_text(self, text):
        print(text)


async def endpoint(websocket):
    def plan_route(start: str, end: str) -> str:
        """Plan a route."""
        return f"{start} -> {end}"

    tools = [plan_route]
    memory = MemorySaver()
    llm = ChatGoogleGenerativeAI(model="gemini-1.5-pro", temperature=0.0)
    agent_executor = create_react_agent(llm, tools, state_modifier=system_prompt, checkpointer=memory)
    config = {"configurable": {"thread_id": "agent_ws_connection"}}
    while websocket.texts:
        data = await websocket.receive_json()
        if data["event"] == "query":
            async for event in agent_executor.astream_events(
                {"messages": [("user", data["data"])]}, config, version="v2"
            ):
                if event["event"] == "on_tool_end":
                    await websocket.send_text(json.dumps({"tool": event["name"]}))
                elif event["event"] == "on_chat_model_end":
                    await websocket.send_text(event["data"]["output"].content or "(calls)")


asyncio.run(endpoint(Socket(["home to work"])))
