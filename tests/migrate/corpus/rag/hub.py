from langchain import hub
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

prompt_template = hub.pull("langchain-ai/sql-agent-system-prompt")
system_message = prompt_template.format(dialect="SQLite", top_k=5)
agent = create_react_agent(ChatOpenAI(), [], prompt=system_message)
