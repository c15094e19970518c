# agent: none
import logging
from concurrent.futures import ThreadPoolExecutor

logger = logging.getLogger(__name__)


def handle(job: dict) -> str:
    # imported in the worker, which starts faster so
    from langchain_openai import ChatOpenAI
    from langgraph.prebuilt import create_react_agent

    def upper(text: str) -> str:
        """Make it loud."""
        return text.upper()

    agent = create_react_agent(ChatOpenAI(), [upper], prompt=f"You work for {job['tenant']}.")
    logger.info("built %s", agent)
    return agent.invoke({"messages": [("user", job["text"])]})["messages"][-1].content


with ThreadPoolExecutor(1) as pool:
    for result in pool.map(handle, [{"tenant": "a", "text": "x"}, {"tenant": "b", "text": "y"}]):
        print(result)
