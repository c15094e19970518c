"""AK012: ValidationNode."""

from __future__ import annotations

from agentkit.migrate.rules._rule import Rule

RULE = Rule(
    code="AK012",
    title="ValidationNode",
    text=(
        "A graph that is built around a ValidationNode has no exact rewrite: the node stays, imported from "
        "`agentkit.prebuilt`, and is marked. By hand, `create_agent` with "
        "`agentkit.middleware.ValidationMiddleware` does the same with a bounded number of retries."
    ),
    before="node = ValidationNode([Select])\n",
    after=(
        "# TODO(agentkit): AK012 ValidationNode has no exact rewrite: see ValidationMiddleware\n"
        "node = ValidationNode([Select])\n"
    ),
)
REASON = "ValidationNode has no exact rewrite: see ValidationMiddleware"
