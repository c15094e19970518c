from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

from prompting import dynamic_prompt


def speak(text: str) -> str:
    """Speak."""
    return text


agent = create_react_agent(ChatOpenAI(), [speak], prompt=dynamic_prompt)
