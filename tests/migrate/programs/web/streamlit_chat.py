# agent: st.session_state.agent
import streamlit as st
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent

st.title("Travel desk")


def flights(origin: str, destination: str) -> list[str]:
    """Find flights."""
    return [f"{origin}-{destination} 08:00"]


if "messages" not in st.session_state:
    st.session_state.messages = []
if "agent" not in st.session_state:
    st.session_state.agent = create_react_agent(
        ChatOpenAI(model="gpt-4o-mini"), [flights], checkpointer=MemorySaver(), prompt="You book flights."
    )

for message in st.session_state.messages:
    with st.chat_message(message["role"]):
        st.markdown(message["content"])

if prompt := st.chat_input("Where to?"):
    st.session_state.messages.append({"role": "user", "content": prompt})
    with st.chat_message("user"):
        st.markdown(prompt)
    with st.chat_message("assistant"):
        for chunk in st.session_state.agent.stream(
            {"messages": [HumanMessage(content=prompt)]}, config={"configurable": {"thread_id": "42"}}
        ):
            if "agent" in chunk:
                reply = chunk["agent"]["messages"][0]
                st.write(reply.content or [c["name"] for c in reply.tool_calls])
            else:
                st.write(chunk["tools"]["messages"][0].content)

print(len(st.session_state.messages))
