from langchain_core.messages.utils import count_tokens_approximately
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState
from langmem.short_term import RunningSummary, SummarizationNode

model = ChatOpenAI(model="gpt-4o")
summarization_node = SummarizationNode(
    token_counter=count_tokens_approximately,
    model=model,
    max_tokens=384,
    max_summary_tokens=128,
    output_messages_key="llm_input_messages",
)


class State(AgentState):
    # NOTE: the running summary is kept here
    context: dict[str, RunningSummary]


def weather(city: str) -> str:
    """Weather."""
    return "cold"


checkpointer = InMemorySaver()
agent = create_react_agent(
    model=model,
    tools=[weather],
    pre_model_hook=summarization_node,
    state_schema=State,
    checkpointer=checkpointer,
)
