from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph_swarm import create_handoff_tool, create_swarm

alice = create_react_agent(
    "openai:gpt-4o",
    [create_handoff_tool(agent_name="Bob")],
    prompt="You are Alice, an addition expert.",
    name="Alice",
)
bob = create_react_agent(
    "openai:gpt-4o",
    [create_handoff_tool(agent_name="Alice", description="Transfer to Alice, she can help with math")],
    prompt="You are Bob, you speak like a pirate.",
    name="Bob",
)
app = create_swarm([alice, bob], default_active_agent="Alice").compile(checkpointer=InMemorySaver())
for chunk in app.stream({"messages": []}, subgraphs=True):
    namespace, update = chunk
    if "agent" in update:
        print(namespace)
