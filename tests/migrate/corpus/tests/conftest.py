import pytest


@pytest.fixture
def thread():
    return {"configurable": {"thread_id": "t"}}
