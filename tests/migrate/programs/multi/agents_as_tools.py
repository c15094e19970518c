from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

llm = ChatOpenAI()


def words(text: str) -> int:
    """Count words."""
    return len(text.split())


editor = create_react_agent(llm, [words], prompt="You shorten texts.")


@tool
def ask_editor(request: str) -> str:
    """Hand a text to the editor."""
    result = editor.invoke({"messages": [("user", request)]})
    return result["messages"][-1].content


agent = create_react_agent(llm, [ask_editor], prompt="You run a newspaper. Use your editor.")
