from langgraph.prebuilt import (  # the old home
    # first
    create_react_agent,  # second
    ToolNode,  # third
    # fourth
)  # fifth

# sixth
agent = create_react_agent(  # seventh
    # eighth
    "openai:gpt-4o",  # ninth
    # tenth
    tools=[],  # eleventh
    # twelfth
    prompt="x",  # thirteenth
    # fourteenth
    version="v2",  # fifteenth
    # sixteenth
)  # seventeenth
# eighteenth
node = ToolNode([])
# nineteenth
