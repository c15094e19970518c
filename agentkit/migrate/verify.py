"""`agentkit verify old.py:build new.py:build`: do two agents behave alike?"""

from __future__ import annotations

import argparse
import inspect
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentkit import _checked as _checked

# isort: split
from langchain_core.messages import HumanMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode

from agentkit._loader import LoadError
from agentkit._loader import load as load_reference
from agentkit.testing import Difference, ParityError, ScriptedChatModel, assert_parity, call
from agentkit.testing.parity import How

_WORDS = ["one", "two", "three", "go on", "and then?", "thanks", "again, please"]
RENAMED = {"agent": "model"}
# On Python 3.10 create_agent streams no tokens in async runs, which would be the first difference of any two.
WAYS: tuple[How, ...] = ("sync", "async") if sys.version_info >= (3, 11) else ("sync",)


class UsageError(Exception):
    """What was asked for can't be run; the text says why."""


@dataclass
class Report:
    """What a comparison found.

    Attributes:
        conversations: How many conversations were compared.
        failed: The script and inputs of the one that differs.
        difference: Where it differs first; None where all are equal.
    """

    conversations: int = 0
    failed: Conversation | None = None
    difference: Difference | None = None


@dataclass
class Conversation:
    """One generated conversation: what the model will answer, and what the user says."""

    script: list[Any] = field(default_factory=list)
    inputs: list[Any] = field(default_factory=list)


def main(argv: Sequence[str]) -> int:
    """Run the command.

    Args:
        argv: The arguments after `agentkit verify`.

    Returns:
        0 the agents are equal, 1 they differ, 2 wrong usage.
    """
    parser = argparse.ArgumentParser(
        prog="agentkit verify",
        description="Run generated conversations through two agents and show the first difference.",
        epilog="exit: 0 equal, 1 different, 2 a wrong command line, 130 interrupted",
    )
    parser.add_argument("old", metavar="OLD", help="file.py:name or module:name, a function of the model, or an agent")
    parser.add_argument("new", metavar="NEW", help="the same for the other agent")
    parser.add_argument("--conversations", type=int, default=20, metavar="N", help="how many (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the conversations (default: 0)")
    parser.add_argument(
        "--node", action="append", default=[], metavar="OLD=NEW", help="a renamed node; may be repeated"
    )
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        names = {**RENAMED, **dict(_pair(text) for text in arguments.node)}
        old, new = load(arguments.old), load(arguments.new)
        report = verify(old, new, names, count=arguments.conversations, seed=arguments.seed)
    except UsageError as error:
        print(f"agentkit verify: {error}", file=sys.stderr)
        return 2
    show(report)
    return int(report.difference is not None)


def verify(
    build_old: Callable[..., Any],
    build_new: Callable[..., Any],
    node_names: dict[str, str] | None = None,
    *,
    count: int = 20,
    seed: int = 0,
) -> Report:
    """Compare two agents on generated conversations.

    The conversations call the agent's own tools with arguments of the right types, in turns and in
    parallel, now and then with an argument missing or by a name that no tool has. They are run sync and
    async; on Python 3.10 sync alone, as `create_agent` streams no tokens in async runs there.

    Args:
        build_old: Builds the old agent from a model.
        build_new: Builds the new one.
        node_names: Old node names and the new ones. Defaults to `{"agent": "model"}` and to no name for
            a node that the old agent does not have.
        count: How many conversations. Defaults to 20.
        seed: The seed they are made from. Defaults to 0.

    Returns:
        What was found, up to the first difference.

    Example:
        ```python
        report = verify(lambda m: create_react_agent(m, [add]), lambda m: create_agent(m, [add]))
        assert report.difference is None
        ```
    """
    report = Report()
    names = node_names or RENAMED
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agent = build_old(ScriptedChatModel(script=["hello"]))
        present = set(agent.get_graph().nodes)
        names = {old: new for old, new in names.items() if new not in present}
        for conversation in conversations(tools_of(agent), count, seed):
            report.conversations += 1
            try:
                assert_parity(
                    build_old,
                    build_new,
                    conversation.inputs,
                    node_names=names,
                    how=WAYS,
                    model=lambda script=conversation.script: ScriptedChatModel(  # type: ignore[misc]
                        script=script, structured={}
                    ),
                )
            except ParityError as error:
                report.failed, report.difference = conversation, error.difference
                break
    return report


def tools_of(agent: Any) -> list[BaseTool]:
    """The tools of an agent's graph."""
    tools: dict[str, BaseTool] = {}
    for node in getattr(agent, "nodes", {}).values():
        for part in (node.bound, *getattr(node.bound, "steps", ())):
            if isinstance(part, ToolNode):
                tools.update(part.tools_by_name)
    return list(tools.values())


# --- conversations ---


def conversations(tools: Sequence[BaseTool], count: int, seed: int) -> Iterator[Conversation]:
    """Make conversations that use tools, from short and plain to long and odd."""
    chance = random.Random(seed)
    for number in range(count):
        script: list[Any] = []
        inputs: list[Any] = []
        for _ in range(1 + number % 3):
            inputs.append({"messages": [HumanMessage(chance.choice(_WORDS))]})
            turns = chance.randrange(3) if tools else 0
            script.extend(_tool_turn(tools, chance) for _ in range(turns))
            script.append(chance.choice(_WORDS))
        yield Conversation(script, inputs)


def _tool_turn(tools: Sequence[BaseTool], chance: random.Random) -> list[Any]:
    if chance.random() < 0.1:
        return [call("no_such_tool")]
    chosen = [chance.choice(tools) for _ in range(chance.randrange(1, 4))]
    return [call(tool.name, **_arguments(tool, chance)) for tool in chosen]


def _arguments(tool: BaseTool, chance: random.Random) -> dict[str, Any]:
    schema: Any = tool.tool_call_schema
    fields = schema if isinstance(schema, dict) else schema.model_json_schema()
    definitions = fields.get("$defs", {})
    required = set(fields.get("required", ()))
    return {
        name: _value(spec, definitions, chance)
        for name, spec in fields.get("properties", {}).items()
        if (name in required or chance.random() < 0.5) and chance.random() > 0.03
    }


def _value(spec: dict[str, Any], definitions: dict[str, Any], chance: random.Random) -> Any:
    """A value of a JSON schema: of its kind, and within its bounds where it has any."""
    if "$ref" in spec:
        return _value(definitions.get(spec["$ref"].rpartition("/")[2], {}), definitions, chance)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in spec:
            return _value(chance.choice(spec[key]), definitions, chance)
    if "enum" in spec:
        return chance.choice(spec["enum"])
    if "const" in spec:
        return spec["const"]
    kind = spec.get("type", "string")
    low = spec.get("minimum", 0)
    if kind in {"integer", "number"}:
        return chance.randint(int(low), int(spec.get("maximum", low + 9)))
    if kind == "array":
        return [_value(spec.get("items", {}), definitions, chance) for _ in range(chance.randrange(3))]
    if kind == "object":
        inner = spec.get("properties", {})
        return {name: _value(part, definitions, chance) for name, part in inner.items()}
    return {"boolean": chance.random() < 0.5, "null": None}.get(kind, chance.choice(_WORDS))


# --- loading and showing ---


def load(reference: str) -> Callable[..., Any]:
    """Load a builder.

    Args:
        reference: `file.py:name` or `module:name`: a function of no argument or of the model, or an agent.

    Raises:
        UsageError: There is no such thing.
    """
    try:
        found = load_reference(reference)
    except LoadError as error:
        raise UsageError(str(error)) from error
    if not callable(found) or hasattr(found, "invoke"):
        raise UsageError(f"{reference} is no function that builds an agent from a model")
    parameters = inspect.signature(found).parameters
    return found if parameters else lambda _model: found()


def _pair(text: str) -> tuple[str, str]:
    old, equal, new = text.partition("=")
    if not equal:
        raise UsageError(f"--node {text}: write it as OLD=NEW")
    return old, new


def show(report: Report) -> None:
    """Print what was found: a sentence, or a table of the first difference."""
    from rich.console import Console
    from rich.table import Table

    console = Console(file=sys.stdout, force_jupyter=False, highlight=False)
    if report.difference is None or report.failed is None:
        console.print(f"equal in {report.conversations} conversations")
        return
    console.print(
        f"different in conversation {report.conversations}, first at: {report.difference.where}", markup=False
    )
    table = Table(show_lines=True)
    table.add_column("old")
    table.add_column("new")
    table.add_row(_text(report.difference.legacy), _text(report.difference.new))
    console.print(table)
    said = [value["messages"][0].content for value in report.failed.inputs]
    console.print(f"the user says: {said}\nthe model answers: {report.failed.script}", markup=False)


def _text(value: Any) -> str:
    from rich.markup import escape

    text = repr(value)
    return escape(text if len(text) < 2_000 else f"{text[:2_000]}...")
