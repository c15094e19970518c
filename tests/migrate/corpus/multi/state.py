from langgraph.prebuilt.chat_agent_executor import AgentState


class State(AgentState):
    draft: str
