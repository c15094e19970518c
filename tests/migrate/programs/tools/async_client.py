# agent: none
import asyncio
from contextlib import asynccontextmanager

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class MultiServerClient:
    def __init__(self, servers):
        self.servers = servers

    async def get_tools(self):
        @tool
        async def add(a: int, b: int) -> int:
            """Add."""
            return a + b

        return [add]

    @asynccontextmanager
    async def session(self, name):
        yield self


async def main():
    client = MultiServerClient({"math": {"command": "python", "args": ["math_server.py"], "transport": "stdio"}})
    agent = create_react_agent("openai:gpt-4.1", await client.get_tools())
    math_response = await agent.ainvoke({"messages": "what's (3 + 5) x 12?"})
    print(math_response["messages"][-1].content)
    async with client.session("math") as session:
        tools = await session.get_tools()
        inner = create_react_agent(ChatOpenAI(), tools, prompt="You do maths.")
        print((await inner.ainvoke({"messages": [("user", "2 + 2")]}))["messages"][-1].content)


asyncio.run(main())
