# Mentions langgraph.prebuilt and create_react_agent, imports nothing.
TEXT = "from langgraph.prebuilt import create_react_agent"
print(TEXT)
