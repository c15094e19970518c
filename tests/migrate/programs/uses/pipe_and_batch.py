# agent: none
from langchain_core.output_parsers import StrOutputParser
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def rhyme(word: str) -> str:
    """Rhyme."""
    return f"{word}, {word[1:]}"


agent = create_react_agent(ChatOpenAI(), [rhyme], prompt="You rhyme.")
chain = agent | (lambda state: state["messages"][-1]) | StrOutputParser()
print(chain.invoke({"messages": [("user", "cat")]}))
print([len(s["messages"]) for s in agent.batch([{"messages": [("user", w)]} for w in "ab"])])
