import os; from langgraph.prebuilt import create_react_agent; import sys
agent = create_react_agent("openai:gpt-4o", []); print(agent)
if len(sys.argv) > 1: agent = create_react_agent(sys.argv[1], [], prompt="x")
