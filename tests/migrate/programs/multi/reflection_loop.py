# agent: none
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

llm = ChatOpenAI()
writer = create_react_agent(llm, tools=[], prompt="Write an essay of five paragraphs.")
critic = create_react_agent(llm, tools=[], prompt="You grade essays. Criticise.")
draft = "cats"
for round_number in range(2):
    essay = writer.invoke({"messages": [HumanMessage(draft)]})["messages"][-1].content
    critique = critic.invoke({"messages": [HumanMessage(f"Round {round_number}: {essay}")]})["messages"][-1].content
    draft = f"{essay}\n{critique}"
print(draft)
