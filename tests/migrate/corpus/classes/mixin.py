from langgraph.prebuilt import ToolNode, create_react_agent


class SafeToolNode(ToolNode):
    """Logs what runs."""

    def _run_one(self, call, input_type, tool_runtime):
        print("running", call["name"])
        return super()._run_one(call, input_type, tool_runtime)


class ToolsMixin:
    tools: list = []

    def make(self, llm):
        return create_react_agent(llm, SafeToolNode(self.tools))
