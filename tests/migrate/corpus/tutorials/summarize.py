from langchain_core.messages.utils import count_tokens_approximately
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState
from langmem.short_term import RunningSummary, SummarizationNode

model = ChatOpenAI(model="gpt-4o")
summarization_node = SummarizationNode(
    token_counter=count_tokens_approximately,
    model=model.bind(max_tokens=128),
    max_tokens=384,
    output_messages_key="llm_input_messages",
)


class State(AgentState):
    # keeps track of previous summaries
    context: dict[str, RunningSummary]


graph = create_react_agent(model=model, tools=[], pre_model_hook=summarization_node, state_schema=State)
