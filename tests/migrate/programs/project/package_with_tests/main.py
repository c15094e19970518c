# stays: AK001
# agent: build_agent()
from app.agent import build_agent
from tests_of_app import test_answers, test_build_uses_prompt

if __name__ == "__main__":
    test_answers()
    test_build_uses_prompt()
    print("passed")
