from dataclasses import dataclass, field

from langgraph.prebuilt import create_react_agent


@dataclass
class AgentBuilder:
    """Collects arguments, builds late."""

    model: object = None
    tools: list = field(default_factory=list)
    extra: dict = field(default_factory=dict)

    def with_prompt(self, prompt):
        self.extra["prompt"] = prompt
        return self

    def build(self):
        return create_react_agent(self.model, self.tools, **self.extra)
