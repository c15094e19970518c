import os

from dotenv import load_dotenv
from langchain.chat_models import init_chat_model
from langchain_core.messages import HumanMessage
from langgraph.prebuilt import create_react_agent

load_dotenv()
llm = init_chat_model(os.getenv("LLM_MODEL", "openai:gpt-4o"), temperature=0)

SYSTEM_PROMPT = """
You are a careful librarian.
Answer from the catalogue only.
""".strip()


def find_book(title: str) -> dict:
    """Find a book by its title."""
    return {"title": title, "shelf": "B4"}


agent = create_react_agent(llm, [find_book], prompt=SYSTEM_PROMPT)


def main() -> None:
    answer = agent.invoke({"messages": [HumanMessage(content="Where is Momo?")]})
    print(answer["messages"][-1].content)


if __name__ == "__main__":
    main()
