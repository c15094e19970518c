from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph_supervisor import create_supervisor

model = ChatOpenAI(model="gpt-4o")


def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


math_agent = create_react_agent(
    model=model, tools=[add], name="math_expert", prompt="You are a math expert. Use one tool at a time."
)
research_agent = create_react_agent(
    model=model,
    tools=[lambda query: query],
    name="research_expert",
    prompt="You are a world class researcher. Do not do any math.",
)
workflow = create_supervisor([research_agent, math_agent], model=model, prompt="You manage a team.")
app = workflow.compile()
