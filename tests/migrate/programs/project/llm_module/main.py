from langgraph.prebuilt import create_react_agent

from llm import get_chat_model, llm


def read(number: int) -> str:
    """Read a record."""
    return f"record {number}"


agent = create_react_agent(model=get_chat_model(), tools=[read], prompt="You read records.")
other = create_react_agent(llm, [read])
print(other.invoke({"messages": [("user", "record 3")]})["messages"][-1].content)
