from langchain_core.messages.utils import count_tokens_approximately, trim_messages
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState

model = ChatOpenAI(model="gpt-4o-mini")


def pre_model_hook(state: AgentState):
    """Runs every time before the model."""
    trimmed_messages = trim_messages(
        state["messages"],
        strategy="last",
        token_counter=count_tokens_approximately,
        max_tokens=384,  # about a page
        start_on="human",
        end_on=("human", "tool"),
    )
    # `llm_input_messages` leaves the history alone
    return {"llm_input_messages": trimmed_messages}


graph = create_react_agent(
    model,
    [],
    pre_model_hook=pre_model_hook,
    checkpointer=InMemorySaver(),
)
