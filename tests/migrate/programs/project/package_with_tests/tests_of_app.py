from unittest.mock import patch

from app import agent as agent_module


def test_answers():
    result = agent_module.build_agent().invoke({"messages": [("user", "version?")]})
    assert "1.2" in result["messages"][-1].content


def test_build_uses_prompt():
    with patch("app.agent.create_react_agent") as create:
        agent_module.build_agent(model=object())
    assert create.call_args.kwargs["prompt"].startswith("You are")
