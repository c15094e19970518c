try:
    from langchain.agents import create_agent
except ImportError:
    from langgraph.prebuilt import create_react_agent as create_agent


def build(llm):
    return create_agent(llm, [])
