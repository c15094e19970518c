"""AK011: the HumanInterrupt family."""

from __future__ import annotations

from agentkit.migrate.rules._rule import Rule

RULE = Rule(
    code="AK011",
    title="HumanInterrupt, HumanResponse and the like",
    text=(
        "The types of `langgraph.prebuilt.interrupt` come from `agentkit.agents.interrupt`: langchain's own "
        "warnings name a module `langchain.agents.interrupt` that was never shipped. Only the import changes; "
        "code that pauses with `interrupt([...])` goes on as it is. (`interrupt_on=` of "
        "`agentkit.agents.create_agent` can take its place, see AK014.)"
    ),
    before="from langgraph.prebuilt.interrupt import HumanInterrupt\n",
    after="from agentkit.agents.interrupt import HumanInterrupt\n",
)
