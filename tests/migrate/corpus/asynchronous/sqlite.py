from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.prebuilt import create_react_agent


async def run(question):
    async with AsyncSqliteSaver.from_conn_string("threads.db") as saver:
        agent = create_react_agent("openai:gpt-4o", [], checkpointer=saver, interrupt_before=["tools"])
        return await agent.ainvoke(question, {"configurable": {"thread_id": "1"}})
