import argparse

from .agents import planner


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("question")
    question = parser.parse_args().question
    for chunk in planner("openai:gpt-4o").stream({"messages": [("user", question)]}):
        for name in chunk:
            if name == "agent":
                print("…")
