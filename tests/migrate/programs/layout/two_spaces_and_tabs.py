from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
def f(x: int) -> int:
  "f"
  return x
def make(flag = True):
  if flag: return create_react_agent(ChatOpenAI(), [f], prompt = 'You compute.')
  else:
    return create_react_agent(ChatOpenAI(),
                              [f])
agent = make()
