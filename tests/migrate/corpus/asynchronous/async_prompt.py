from langgraph.prebuilt import create_react_agent


async def fetch_profile(user):
    return {"name": user}


async def prompt(state):
    profile = await fetch_profile(state["user"])
    return [("system", f"User: {profile['name']}")] + state["messages"]


agent = create_react_agent("openai:gpt-4o", [], prompt=prompt)
