# First steps: an agent that knows the weather.
import getpass
import os

from langchain_openai import ChatOpenAI
from langchain_core.tools import tool
from langgraph.prebuilt import create_react_agent

if "OPENAI_API_KEY" not in os.environ:
    os.environ["OPENAI_API_KEY"] = getpass.getpass()  # never commit this


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    if city.lower() in ["sf", "san francisco"]:
        return "60 degrees and foggy."
    return "90 degrees and sunny."


tools = [get_weather]
model = ChatOpenAI(model="gpt-4o", temperature=0)
graph = create_react_agent(model, tools=tools)


def print_stream(stream):
    for s in stream:
        message = s["messages"][-1]
        if isinstance(message, tuple):
            print(message)
        else:
            message.pretty_print()


inputs = {"messages": [("user", "what is the weather in sf")]}
print_stream(graph.stream(inputs, stream_mode="values"))
