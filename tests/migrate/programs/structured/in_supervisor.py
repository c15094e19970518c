# structured: {"next": "FINISH"}
# agent: worker
from typing import Literal

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel


class Router(BaseModel):
    """Who is next?"""

    next: Literal["worker", "FINISH"]


llm = ChatOpenAI()
worker = create_react_agent(llm, [], prompt="You work.")
router = llm.with_structured_output(Router)
print(router.invoke([("user", "who?")]).next)
