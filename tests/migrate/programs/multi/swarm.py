# agent: app
# script: [call("transfer_to_bob"), "I am Bob.", "Still Bob."]
# inputs: [{"messages": [("user", "Bob, please")]}, {"messages": [("user", "who are you")]}]
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph_swarm import create_handoff_tool, create_swarm

model = ChatOpenAI(model="gpt-4o")


def add(a: int, b: int) -> int:
    """Add two numbers"""
    return a + b


alice = create_react_agent(
    model,
    [add, create_handoff_tool(agent_name="Bob")],
    prompt="You are Alice, an addition expert.",
    name="Alice",
)
bob = create_react_agent(
    model,
    [create_handoff_tool(agent_name="Alice", description="Transfer to Alice, she can help with math")],
    prompt="You are Bob, you speak like a pirate.",
    name="Bob",
)
checkpointer = InMemorySaver()
app = create_swarm([alice, bob], default_active_agent="Alice").compile(checkpointer=checkpointer)
