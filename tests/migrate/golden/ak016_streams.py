from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent
from scripted import model

SHOWN = []


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agent = create_react_agent(model, [add], checkpointer=MemorySaver())
config = {"configurable": {"thread_id": "1"}}
question = {"messages": [("user", "hi")]}

for chunk in agent.stream(question, config):
    if "agent" in chunk:
        SHOWN.append(chunk["agent"]["messages"][-1].content)
    for node, update in chunk.items():
        if node == 'agent':
            SHOWN.append(len(update["messages"]))

for token, metadata in agent.stream(question, config, stream_mode="messages"):
    if metadata["langgraph_node"] == "agent" and token.content:
        SHOWN.append(token.content)

for mode, event in agent.stream(question, config, stream_mode=["updates", "custom"]):
    if mode == "updates" and event.get("agent"):
        SHOWN.append(event["agent"]["messages"][0].type)


def show(step):
    return step.get("agent", {}).get("messages", [])


SHOWN.extend(str(m.content) for step in agent.stream(question, config) for m in show(step))
agent.update_state(config, {"messages": [("ai", "written by hand")]}, as_node="agent")
SHOWN.append(agent.get_state(config).next == ("agent",))
SHOWN.append([m.name == "agent" for m in agent.get_state(config).values["messages"]])
