from datetime import datetime

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

prompt = f"Today is {datetime.now():%Y-%m-%d}. Respond in Italian."
agent = create_react_agent(
    ChatOpenAI(model="gpt-4o"),
    tools=[],
    prompt=prompt,
)
print(agent.invoke({"messages": [{"role": "user", "content": "ciao"}]}))
