# agent: SupportBot().app
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

SYSTEM_PROMPT = "You support customers."


def order_status(order_id: str) -> str:
    """Where is an order?"""
    return f"{order_id}: shipped"


class SupportBot:
    def __init__(self):
        self.llm = ChatOpenAI(model="gpt-4o")
        self.tools = [order_status]
        self.app = create_react_agent(self.llm, self.tools)

    def ask_stream(self, question: str, chat_history: list = None):
        messages = [SystemMessage(content=SYSTEM_PROMPT)]
        if chat_history:
            messages.extend(chat_history)
        messages.append(HumanMessage(content=question))
        for chunk in self.app.stream({"messages": messages}):
            if "agent" in chunk:
                for msg in chunk["agent"]["messages"]:
                    if hasattr(msg, "content") and msg.content:
                        yield msg.content


if __name__ == "__main__":
    for piece in SupportBot().ask_stream("where is it?"):
        print(piece)
