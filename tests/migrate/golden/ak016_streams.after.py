from langgraph.checkpoint.memory import MemorySaver
from langchain.agents import create_agent
from scripted import model

SHOWN = []


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agent = create_agent(model, [add], checkpointer=MemorySaver())
config = {"configurable": {"thread_id": "1"}}
question = {"messages": [("user", "hi")]}

for chunk in agent.stream(question, config):
    if "model" in chunk:
        SHOWN.append(chunk["model"]["messages"][-1].content)
    for node, update in chunk.items():
        if node == 'model':
            SHOWN.append(len(update["messages"]))

for token, metadata in agent.stream(question, config, stream_mode="messages"):
    if metadata["langgraph_node"] == "model" and token.content:
        SHOWN.append(token.content)

for mode, event in agent.stream(question, config, stream_mode=["updates", "custom"]):
    if mode == "updates" and event.get("model"):
        SHOWN.append(event["model"]["messages"][0].type)


def show(step):
    return step.get("model", {}).get("messages", [])


SHOWN.extend(str(m.content) for step in agent.stream(question, config) for m in show(step))
agent.update_state(config, {"messages": [("ai", "written by hand")]}, as_node="model")
SHOWN.append(agent.get_state(config).next == ("model",))
SHOWN.append([m.name == "agent" for m in agent.get_state(config).values["messages"]])
