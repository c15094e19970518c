from langgraph.prebuilt import create_react_agent

agent = create_react_agent("openai:gpt-4o", [])


async def tokens(question):
    return [
        token.content
        async for token, meta in agent.astream(question, stream_mode="messages")
        if meta.get("langgraph_node") in ("agent",)
    ]
