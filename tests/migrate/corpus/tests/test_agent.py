from unittest.mock import MagicMock, patch

import pytest
from langchain_core.messages import AIMessage
from langgraph.prebuilt import create_react_agent


@pytest.fixture
def llm():
    fake = MagicMock()
    fake.bind_tools.return_value = fake
    return fake


def test_builds(llm):
    agent = create_react_agent(llm, [])
    assert "agent" in agent.nodes
    assert agent.get_graph().nodes["agent"]


@patch("langgraph.prebuilt.create_react_agent")
def test_patched(create):
    create.return_value.invoke.return_value = {"messages": [AIMessage("x")]}
