from builder import agent
from display import show

for chunk in agent.stream({"messages": [("user", "hello")]}, stream_mode="updates"):
    show(chunk)
