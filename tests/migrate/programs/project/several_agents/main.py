# agent: graph
from graph import graph

for update in graph.stream({"messages": [("user", "write about cats")]}, stream_mode="updates"):
    print(list(update))
