# inputs: [{"messages": [("system", "Be brief."), ("user", "hi")]}]
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def lookup(word: str) -> str:
    """Look up."""
    return word


agent = create_react_agent(model=ChatOpenAI(), tools=[lookup])
system_message = SystemMessage(content="You define words.")
messages = [system_message]
for text in ("cat", "dog"):
    messages.append(HumanMessage(content=text))
    result = agent.invoke({"messages": messages})
    messages = result["messages"]
    print(messages[-1].content)
