from langgraph.prebuilt import create_react_agent

if (agent := create_react_agent("openai:gpt-4o", [])) is not None:
    print([chunk["agent"] for chunk in agent.stream({}) if "agent" in chunk])
print((lambda a: a.invoke({}))(create_react_agent("openai:gpt-4o", [])))
