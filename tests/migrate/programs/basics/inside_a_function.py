# agent: none
from langchain_groq import ChatGroq
from langgraph.prebuilt import create_react_agent


def word_count(text: str) -> int:
    """Count the words."""
    return len(text.split())


def answer(question: str) -> str:
    llm = ChatGroq(model="llama-3.1-8b-instant", api_key="none")
    agent = create_react_agent(llm, [word_count])
    out = agent.invoke({"messages": [("user", question)]})
    return out["messages"][-1].content


for question in ["how many words?", "and now?"]:
    print(f"Q: {question}\nA: {answer(question)}")
