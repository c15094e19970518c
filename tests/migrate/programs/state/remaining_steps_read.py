# stays: AK018
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from langgraph.managed import RemainingSteps
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState


class State(AgentState):
    remaining_steps: RemainingSteps


def f(x: int) -> int:
    """f."""
    return x


def stop_early(state):
    if state["remaining_steps"] < 3:
        return {"messages": [AIMessage("That has to do.", id=state["messages"][-1].id)]}
    return {}


agent = create_react_agent(ChatOpenAI(), [f], state_schema=State, post_model_hook=stop_early)
