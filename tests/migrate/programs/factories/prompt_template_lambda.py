# agent: create_agent("planner", "basic", [todo], "planner")
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

TEMPLATES = {"planner": "Plan in steps. Locale: {locale}", "coder": "Write code. Locale: {locale}"}
LLMS = {"basic": "gpt-4o-mini"}


def get_llm_by_type(kind):
    return ChatOpenAI(model=LLMS[kind])


def apply_prompt_template(prompt_name, state):
    text = TEMPLATES[prompt_name].format(locale=state.get("locale", "en"))
    return [SystemMessage(content=text)] + state["messages"]


def todo(item: str) -> str:
    """Note a to-do."""
    return f"[ ] {item}"


def create_agent(agent_name: str, agent_type: str, tools: list, prompt_template: str):
    """Factory for agents with one configuration."""
    return create_react_agent(
        name=agent_name,
        model=get_llm_by_type(agent_type),
        tools=tools,
        prompt=lambda state: apply_prompt_template(prompt_template, state),
    )
