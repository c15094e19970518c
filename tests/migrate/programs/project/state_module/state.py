from langgraph.prebuilt.chat_agent_executor import AgentState


class PlanState(AgentState):
    plan: str
