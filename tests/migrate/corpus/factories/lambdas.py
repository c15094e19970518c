from langgraph.prebuilt import create_react_agent

make = lambda m, t: create_react_agent(m, t)  # noqa: E731
agents = [create_react_agent(m, []) for m in ("openai:gpt-4o", "openai:gpt-4o-mini")]
by_name = {n: create_react_agent("openai:gpt-4o", [], name=n, prompt=f"You are {n}.") for n in ("a", "b")}
lazy = lambda m: create_react_agent(m, [], prompt=lambda s: s["messages"][-3:])  # noqa: E731
