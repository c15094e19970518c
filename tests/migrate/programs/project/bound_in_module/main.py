# stays: AK009
from langgraph.prebuilt import create_react_agent

from llm import TOOLS, model_with_tools

agent = create_react_agent(model_with_tools, TOOLS)
