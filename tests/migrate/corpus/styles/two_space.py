from langgraph.prebuilt import create_react_agent

def make(llm):
  def trim(state):
    return {'llm_input_messages': state['messages'][-4:]}
  return create_react_agent(llm, [], pre_model_hook=trim)
