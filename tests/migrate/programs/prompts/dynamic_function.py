from langchain_core.messages import AnyMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState


class State(AgentState):
    user_name: str


def prompt(state: State) -> list[AnyMessage]:
    """Greets the user by name."""
    return [SystemMessage(content=f"Address the user as {state.get('user_name', 'you')}.")] + state["messages"]


def ping(host: str) -> str:
    """Ping a host."""
    return "64 bytes"


agent = create_react_agent(ChatOpenAI(), tools=[ping], prompt=prompt, state_schema=State)
