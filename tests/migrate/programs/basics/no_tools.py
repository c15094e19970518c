from langchain_core.messages import SystemMessage
from langchain_ollama import ChatOllama
from langgraph.prebuilt import create_react_agent

llm = ChatOllama(model="llama3")
system = SystemMessage(content="Answer in rhymes.")
agent = create_react_agent(llm, tools=[], prompt=system, debug=False)
print(agent.invoke({"messages": [("human", "hello")]})["messages"][-1].content)
