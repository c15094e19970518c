"""A note-taking agent, written in 2025 for langgraph.prebuilt. Nothing in it knows of agentkit.

usage: python legacy_agent.py DB            take a note; asks before the tools run
       python legacy_agent.py DB yes|no     the answer, in a new process
"""

import sqlite3
import sys

from langchain_core.messages import SystemMessage, ToolMessage, trim_messages
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.prebuilt import create_react_agent
from model import model

NOTES = []


def save_note(text: str) -> str:
    """Save a note."""
    NOTES.append(text)
    return f"saved note {len(NOTES)}: {text}"


def count_words(text: str) -> int:
    """Count the words of a text."""
    return len(text.split())


def prompt(state):
    return [SystemMessage("You take notes and count their words."), *state["messages"]]


def trim(state):
    kept = trim_messages(state["messages"], strategy="last", token_counter=len, max_tokens=20, start_on="human")
    return {"llm_input_messages": kept}


def build(db):
    return create_react_agent(
        model,
        [save_note, count_words],
        prompt=prompt,
        pre_model_hook=trim,
        interrupt_before=["tools"],
        checkpointer=SqliteSaver(sqlite3.connect(db, check_same_thread=False)),
    )


def show(messages):
    for message in messages:
        calls = "".join(f"  -> {c['name']}({c['args']})" for c in getattr(message, "tool_calls", []))
        print(f"  {message.type:>6}: {message.text}{calls}")


def main():
    agent = build(sys.argv[1])
    config = {"configurable": {"thread_id": "notes"}}
    if len(sys.argv) == 2:
        agent.invoke({"messages": [("user", "Note that the demo works, and count the words.")]}, config)
        state = agent.get_state(config)
        print(f"  paused before {state.next[0]}:")
        show(state.values["messages"])
        input("  run these tools? ")
        return
    waiting = agent.get_state(config).values["messages"][-1].tool_calls
    if sys.argv[2] == "no":
        refusals = [ToolMessage("The person said no.", tool_call_id=c["id"], name=c["name"]) for c in waiting]
        agent.update_state(config, {"messages": refusals}, as_node="tools")
    while agent.get_state(config).next:
        agent.invoke(None, config)
    show(agent.get_state(config).values["messages"])


if __name__ == "__main__":
    main()
