from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

prompt = ChatPromptTemplate.from_messages(
    [
        ("system", "You are a copy editor."),
        MessagesPlaceholder(variable_name="messages"),
    ]
)


def spell(word: str) -> bool:
    """Is the word spelled well?"""
    return word.islower()


agent = create_react_agent(ChatOpenAI(), [spell], prompt=prompt)
