# agent: initialize_agent()[0]
import sys

from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent


def balance(asset: str) -> str:
    """Look up a balance."""
    return f"{asset}: 0.5"


def initialize_agent():
    """Set the agent up with its wallet."""
    llm = ChatOpenAI(model="gpt-4o-mini")
    memory = MemorySaver()
    config = {"configurable": {"thread_id": "wallet bot"}}
    return (
        create_react_agent(
            llm,
            tools=[balance],
            checkpointer=memory,
            prompt="You act on a test network. "
            "If you lack funds, say so. "
            "Keep answers short.",
        ),
        config,
    )


def run_chat_mode(agent_executor, config):
    print("Starting chat mode... Type 'exit' to end.")
    while True:
        user_input = input("\nPrompt: ")
        if user_input.lower() in ("exit", "quit"):
            break
        for chunk in agent_executor.stream({"messages": [HumanMessage(content=user_input)]}, config):
            if "agent" in chunk:
                print(chunk["agent"]["messages"][0].content)
            elif "tools" in chunk:
                print(chunk["tools"]["messages"][0].content)
            print("-------------------")


def main():
    agent_executor, config = initialize_agent()
    run_chat_mode(agent_executor=agent_executor, config=config)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(0)
