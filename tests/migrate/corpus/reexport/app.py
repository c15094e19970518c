from .compat import ToolNode, create_react_agent

node = ToolNode([])
agent = create_react_agent("openai:gpt-4o", [])
