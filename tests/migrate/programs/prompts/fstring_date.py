from datetime import date

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

today = date(2025, 3, 1)
prompt = f"""You book rooms.
Today is {today:%A, %d %B %Y}.
"""


def book(room: str, day: str) -> str:
    """Book a room."""
    return f"{room} on {day}"


agent = create_react_agent(ChatOpenAI(temperature=0.1), tools=[book], prompt=prompt)
