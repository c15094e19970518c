from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

prompt = ChatPromptTemplate.from_messages(
    [
        ("system", "You are named {name}."),
        MessagesPlaceholder("messages"),
    ]
).partial(name="Bob")

agent = create_react_agent(ChatOpenAI(), tools=[], prompt=prompt)  # a template
