"""The rules, by code."""

from agentkit.migrate.rules import (
    ak001_imports,
    ak002_create_agent,
    ak003_prompt_text,
    ak004_prompt_function,
    ak005_pre_model_hook,
    ak006_post_model_hook,
    ak007_response_format,
    ak008_model_function,
    ak009_bound_model,
    ak010_state_schema,
    ak011_human_interrupt,
    ak012_validation_node,
    ak013_tool_node,
    ak014_static_interrupts,
    ak015_config_schema,
    ak016_node_names,
    ak017_historical,
    ak018_loop,
)
from agentkit.migrate.rules._rule import Rule

RULES: dict[str, Rule] = {
    module.RULE.code: module.RULE
    for module in (
        ak001_imports,
        ak002_create_agent,
        ak003_prompt_text,
        ak004_prompt_function,
        ak005_pre_model_hook,
        ak006_post_model_hook,
        ak007_response_format,
        ak008_model_function,
        ak009_bound_model,
        ak010_state_schema,
        ak011_human_interrupt,
        ak012_validation_node,
        ak013_tool_node,
        ak014_static_interrupts,
        ak015_config_schema,
        ak016_node_names,
        ak017_historical,
        ak018_loop,
    )
}

__all__ = ["RULES", "Rule"]
