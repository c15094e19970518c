# agent: build_graph()
from typing import Annotated, TypedDict
import operator

from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import create_react_agent
# inputs are a plan's, not messages


class PlanExecute(TypedDict):
    input: str
    plan: list[str]
    past_steps: Annotated[list, operator.add]
    response: str
    messages: list


def search(query: str) -> str:
    """Search."""
    return "a page"


def build_graph():
    llm = ChatOpenAI(model="gpt-4-turbo")
    agent_executor = create_react_agent(llm, [search], prompt="You are a helpful assistant.")

    def plan_step(state: PlanExecute):
        return {"plan": ["look it up", "sum it up"]}

    def execute_step(state: PlanExecute):
        plan = state["plan"]
        task = f"Plan: {plan}. You do: {plan[0]}"
        agent_response = agent_executor.invoke({"messages": [("user", task)]})
        return {"past_steps": [(plan[0], agent_response["messages"][-1].content)], "plan": plan[1:]}

    def finish(state: PlanExecute):
        return {"response": "; ".join(result for _, result in state["past_steps"])}

    def should_end(state: PlanExecute):
        return "agent" if state["plan"] else "finish"

    workflow = StateGraph(PlanExecute)
    workflow.add_node("planner", plan_step)
    workflow.add_node("agent", execute_step)
    workflow.add_node("finish", finish)
    workflow.add_edge(START, "planner")
    workflow.add_edge("planner", "agent")
    workflow.add_conditional_edges("agent", should_end, ["agent", "finish"])
    workflow.add_edge("finish", END)
    return workflow.compile()


if __name__ == "__main__":
    for event in build_graph().stream({"input": "who won?"}):
        for k, v in event.items():
            if k != "__end__":
                print(k, sorted(v))
