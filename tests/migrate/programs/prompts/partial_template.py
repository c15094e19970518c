from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

template = ChatPromptTemplate.from_messages(
    [("system", "You are {name}, an assistant of {company}."), MessagesPlaceholder("messages")]
).partial(name="Robin", company="ACME")


def ticket(title: str) -> int:
    """Open a ticket."""
    return 17


agent = create_react_agent(ChatOpenAI(), [ticket], prompt=template)
