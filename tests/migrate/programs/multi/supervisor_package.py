# agent: app
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph_supervisor import create_supervisor

model = ChatOpenAI(model="gpt-4o")


def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


def web_search(query: str) -> str:
    """Search the web."""
    return "Headcounts: 67,317 and 164,000."


math_agent = create_react_agent(
    model=model,
    tools=[add],
    name="math_expert",
    prompt="You are a math expert. Always use one tool at a time.",
)
research_agent = create_react_agent(
    model=model,
    tools=[web_search],
    name="research_expert",
    prompt="You are a world class researcher with access to web search. Do not do any math.",
)
workflow = create_supervisor(
    [research_agent, math_agent],
    model=model,
    prompt="You are a team supervisor.",
    output_mode="last_message",
)
app = workflow.compile()
for chunk in app.stream({"messages": [{"role": "user", "content": "headcount?"}]}):
    print(*chunk)
