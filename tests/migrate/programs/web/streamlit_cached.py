# agent: load_agent()
import streamlit as st
from langchain_groq import ChatGroq
from langgraph.prebuilt import create_react_agent


def wiki(title: str) -> str:
    """Read a page."""
    return f"{title} is a place."


@st.cache_resource
def load_agent():
    llm = ChatGroq(model="llama3-70b")
    return create_react_agent(llm, tools=[wiki])


def stream_answer(question):
    agent = load_agent()
    for token, meta in agent.stream({"messages": [("user", question)]}, stream_mode="messages"):
        if meta.get("langgraph_node") == "agent":
            yield token.content


question = st.chat_input()
with st.chat_message("assistant"), st.spinner("Thinking..."):
    text = st.write_stream(stream_answer(question))
print(len(text) > 0)
