from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

model = ChatOpenAI()
app = create_react_agent(model, [], state_modifier=SystemMessage("Be kind."))
older = create_react_agent(model, [], messages_modifier="Be kind.")


def modify(state):
    return [SystemMessage("Be kind.")] + state["messages"][-5:]


oldest = create_react_agent(model, [], state_modifier=modify)
