"""Answer questions about the handbook."""

from langchain.tools.retriever import create_retriever_tool
from langchain_community.vectorstores import FAISS
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langgraph.prebuilt import create_react_agent

store = FAISS.load_local("handbook", OpenAIEmbeddings())
retriever = store.as_retriever(search_kwargs={"k": 4})
tool = create_retriever_tool(retriever, "handbook", "Search the handbook.")

SYSTEM = """You answer from the handbook.

If you don't know, say so.
"""

agent = create_react_agent(ChatOpenAI(model="gpt-4o"), [tool], prompt=SYSTEM)

if __name__ == "__main__":
    while question := input("> "):
        for step in agent.stream({"messages": [("user", question)]}, stream_mode="values"):
            step["messages"][-1].pretty_print()
