# agent: none
"""langchain's classic function of the same name is no business of ours."""


def create_react_agent(llm, tools, prompt):
    return {"llm": llm, "tools": tools, "prompt": prompt}


agent = create_react_agent("llm", [], prompt="Thought: {agent_scratchpad}")
print(sorted(agent))
