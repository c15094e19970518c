# agent: none
from concurrent.futures import ThreadPoolExecutor

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

llm = ChatOpenAI()
PERSONAS = ["optimist", "pessimist"]


def debate(persona):
    agent = create_react_agent(llm, tools=[], prompt="You are an " + persona + ".", name=persona)
    return persona, agent.invoke({"messages": [("user", "Will it rain?")]})["messages"][-1].content


with ThreadPoolExecutor(max_workers=2) as pool:
    for persona, text in pool.map(debate, PERSONAS):
        print(persona, text)
