from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

tools = []
llm = ChatOpenAI(model="gpt-4o")
llm_with_tools = llm.bind_tools(tools, parallel_tool_calls=False)
agent = create_react_agent(llm_with_tools, tools)
strict = create_react_agent(llm.bind_tools(tools, strict=True, tool_choice="auto"), tools)
tagged = create_react_agent(llm.with_config(tags=["nostream"]), tools)
careful = create_react_agent(llm.with_fallbacks([ChatOpenAI(model="gpt-4o-mini")]), tools)
cold = create_react_agent(llm.bind(temperature=0), tools)
