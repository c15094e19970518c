# agent: build()
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState


def build():
    class Scoped(AgentState):
        topic: str

    def prompt(state: Scoped):
        return [{"role": "system", "content": f"Topic: {state.get('topic', 'none')}"}] + state["messages"]

    return create_react_agent(ChatOpenAI(), [], state_schema=Scoped, prompt=prompt)
