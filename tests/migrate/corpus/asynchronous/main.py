import asyncio

from langchain_mcp_adapters.client import MultiServerMCPClient
from langgraph.prebuilt import create_react_agent


async def main():
    client = MultiServerMCPClient({"math": {"command": "python", "args": ["server.py"], "transport": "stdio"}})
    tools = await client.get_tools()
    agent = create_react_agent("anthropic:claude-3-7-sonnet-latest", tools)
    response = await agent.ainvoke({"messages": "what's (3 + 5) x 12?"})
    print(response)
    async for chunk in agent.astream({"messages": "again"}, stream_mode="updates"):
        for node, values in chunk.items():
            match node:
                case "agent":
                    print("model:", values)
                case "tools":
                    print("tools:", values)


if __name__ == "__main__":
    asyncio.run(main())
