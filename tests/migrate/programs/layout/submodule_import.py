from langchain_openai import ChatOpenAI
from langgraph.prebuilt.chat_agent_executor import AgentState, create_react_agent


class State(AgentState):
    mood: str


def smile(times: int) -> str:
    """Smile."""
    return ":)" * times


agent = create_react_agent(ChatOpenAI(), [smile], state_schema=State)
