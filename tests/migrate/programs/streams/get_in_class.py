# agent: Runner().agent
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class Runner:
    def __init__(self):
        self.agent = self._build()

    def _build(self):
        def ls(path: str) -> list[str]:
            """List files."""
            return [path]

        return create_react_agent(ChatOpenAI(), [ls])

    def run(self, text):
        steps = []
        for chunk in self.agent.stream({"messages": [("user", text)]}, stream_mode="updates"):
            agent_update = chunk.get("agent")
            if agent_update:
                steps.extend(m.content for m in agent_update["messages"])
            tool_update = chunk.get("tools", {})
            steps += [m.name for m in tool_update.get("messages", [])]
        return steps


print(Runner().run("list"))
