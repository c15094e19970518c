# agent: none
from langchain_openai import ChatOpenAI
from langgraph.errors import GraphRecursionError
from langgraph.prebuilt import create_react_agent

MAX_ITERATIONS = 30


def poll(job: str) -> str:
    """Poll a job."""
    return "still running"


def run(question):
    agent = create_react_agent(ChatOpenAI(), [poll], prompt="You wait for jobs.")
    try:
        result = agent.invoke({"messages": [("user", question)]}, {"recursion_limit": MAX_ITERATIONS})
        return result["messages"][-1].content
    except GraphRecursionError:
        return "Gave up."


print(run("is it done?"))
