import os

from langchain_openai import AzureChatOpenAI, ChatOpenAI


def get_chat_model():
    if os.getenv("AZURE"):
        return AzureChatOpenAI(azure_deployment="gpt-4o")
    return ChatOpenAI(model="gpt-4o", temperature=0)


llm = get_chat_model()
