from celery import Celery

celery = Celery(__name__)


@celery.task
def answer(text):
    # Imported late: the worker starts faster.
    from langgraph.prebuilt import create_react_agent

    agent = create_react_agent("openai:gpt-4o-mini", [], prompt="Answer briefly.", debug=True)
    return agent.invoke({"messages": [("user", text)]})["messages"][-1].content
