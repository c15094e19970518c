from dataclasses import dataclass

from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState
from langgraph.runtime import Runtime


@dataclass
class Context:
    provider: str = "openai"


tools = []
openai = ChatOpenAI(model="gpt-4o")
anthropic = ChatAnthropic(model_name="claude")


def select_model(state: AgentState, runtime: Runtime[Context]):
    # the cheap one first
    if runtime.context.provider == "openai":
        return openai.bind_tools(tools)
    return anthropic.bind_tools(tools)


agent = create_react_agent(select_model, tools, context_schema=Context)
