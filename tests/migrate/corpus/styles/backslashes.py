from langgraph.prebuilt import \
    create_react_agent, \
    ToolNode
agent = \
    create_react_agent(
        "openai:gpt-4o", ToolNode(
            []  # none yet
        )
    )
