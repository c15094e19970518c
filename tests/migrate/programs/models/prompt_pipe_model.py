# stays: AK009
from langchain_core.prompts import ChatPromptTemplate
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def f(x: int) -> int:
    """f."""
    return x


prompt = ChatPromptTemplate.from_messages([("system", "You f."), ("placeholder", "{messages}")])
chain = prompt | ChatOpenAI().bind_tools([f])
agent = create_react_agent(chain, [f])
