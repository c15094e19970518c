from graph import agent

for chunk in agent.stream({"messages": [("user", "hello")]}):
    for name, update in chunk.items():
        if name == "agent":
            print(">", update["messages"][-1].content)
        else:
            print("#", update["messages"][-1].content)
