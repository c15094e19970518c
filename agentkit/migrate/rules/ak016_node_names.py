"""AK016: node names in the code around an agent."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from agentkit.migrate.calls import AgentCall
from agentkit.migrate.functions import names_in
from agentkit.migrate.rules.ak014_static_interrupts import quoted_like
from agentkit.migrate.source import Source, dotted, key_of, text_of

REASON = "the file reads a node name from what can't be traced to this agent: {code}"

_READS = {
    "stream", "astream", "astream_events", "astream_log", "get_state", "aget_state", "get_state_history",
    "aget_state_history", "stream_events",
}  # fmt: skip
_WRITES = {"update_state", "aupdate_state", "bulk_update_state", "invoke", "ainvoke", *_READS}
_NOT_NODES = {
    "name",
    "type",
    "role",
    "content",
    "id",
    "session_state",
    "user_session",
    "environ",
    "headers",
    "args",
    "kwargs",
    "query_params",
}
_SIGNS = _READS | {"update_state", "aupdate_state", "langgraph_node", "as_node"}


class NodeNames:
    """Finds the node names that a file reads.

    Attributes:
        renamed: New literals by old one.
        unclear: The literals that can't be traced.
    """

    def __init__(self, source: Source, calls: list[AgentCall]) -> None:
        self.source = source
        self.names = {old: new for call in calls for old, new in call.node_names.items()}
        self.calls = {call.node for call in calls}
        self.agents: set[object] = set()
        self.tainted: set[object] = set()
        self.others: set[object] = set()
        self.renamed: dict[cst.CSTNode, cst.BaseExpression] = {}
        self.unclear: list[cst.CSTNode] = []
        self.own = {
            name
            for call in source.all(cst.Call)
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "add_node" and call.args
            for name in (text_of(call.args[0].value), dotted(call.args[0].value))
        }
        if calls and self._reads_nodes():
            self._follow()
            self._judge()
            self.unclear += [
                call  # a method that the node's name picks
                for call in source.all(cst.Call)
                if dotted(call.func) == "getattr"
                and len(call.args) > 1
                and isinstance(call.args[1].value, (cst.FormattedString, cst.BinaryOperation))
                and self._mentions(call.args[1].value, self.tainted)
            ]
        if calls:
            self.unclear += self._jumps()

    def _reads_nodes(self) -> bool:
        words = {name.value for name in self.source.all(cst.Name)}
        words |= {text_of(node) or "" for node in self.source.all(cst.SimpleString)}
        return bool(words & _SIGNS) and bool(words & {*self.names, "getattr"})

    # --- what holds an agent, what holds something an agent gave, what holds another graph's ---

    def _key(self, node: cst.CSTNode) -> object:
        """What identifies a variable: its bindings, or the class and name of `self.name`."""
        if isinstance(node, cst.Attribute) and dotted(node).startswith("self."):
            return (self.source.enclosing(node, cst.ClassDef), dotted(node))
        if isinstance(node, cst.Name):
            found = self.source.assignments(node)
            return (found[0].scope, node.value) if found else None
        item = key_of(node)
        holder = node.value if isinstance(node, cst.Subscript) else None
        func = node.func if isinstance(node, cst.Call) and node.args else None
        if isinstance(func, cst.Attribute) and func.attr.value in {"get", "set"}:
            item, holder = text_of(node.args[0].value), func.value  # type: ignore[attr-defined]
        if item is not None and dotted(holder):
            return (dotted(holder), item)
        return dotted(node) or None if isinstance(node, cst.Attribute) else None

    def _follow(self) -> None:
        size = -1
        while size != len(self.agents) + len(self.tainted) + len(self.others):
            size = len(self.agents) + len(self.tainted) + len(self.others)
            for target, value in self._flows():
                key = self._key(target)
                if key is None:
                    continue
                if self.is_agent(value):
                    self.agents.add(key)
                elif self._reads(value, self.is_agent) or self._mentions(value, self.tainted):
                    self.tainted.add(key)
                elif self._reads(value, self._is_other) or self._mentions(value, self.others):
                    self.others.add(key)

    def _flows(self) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
        """Every (name, expression) such that the name may hold something of the expression."""
        for assign in self.source.all(cst.Assign):
            for target in assign.targets:
                yield from ((name, assign.value) for name in _targets(target.target))
        for annotated in self.source.all(cst.AnnAssign):
            if annotated.value is not None:
                yield annotated.target, annotated.value
        for walrus in self.source.all(cst.NamedExpr):
            yield walrus.target, walrus.value
        loops: list[cst.For | cst.CompFor] = [*self.source.all(cst.For), *self.source.all(cst.CompFor)]
        for loop in loops:
            yield from ((name, loop.iter) for name in _targets(loop.target))
        for item in self.source.all(cst.WithItem):
            if item.asname is not None:
                yield from ((name, item.item) for name in _targets(item.asname.name))
        for call in self.source.all(cst.Call):
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "set" and len(call.args) == 2:
                yield call, call.args[1].value
            function = self.source.value(call.func)
            if isinstance(function, cst.FunctionDef):
                parameters = [*function.params.posonly_params, *function.params.params]
                if isinstance(call.func, cst.Attribute):
                    parameters = parameters[1:]
                by_name = {p.name.value: p for p in [*parameters, *function.params.kwonly_params]}
                for place, argument in enumerate(call.args):
                    parameter = (
                        by_name.get(argument.keyword.value)
                        if argument.keyword
                        else (parameters[place] if place < len(parameters) else None)
                    )
                    if parameter is not None and not argument.star:
                        yield parameter.name, argument.value

    def is_agent(self, value: cst.CSTNode) -> bool:
        """Whether an expression is a rewritten agent."""
        if isinstance(value, cst.Await):
            return self.is_agent(value.expression)
        if isinstance(value, cst.Call):
            if value in self.calls:
                return True
            if isinstance(value.func, cst.Attribute) and value.func.attr.value == "with_config":
                return self.is_agent(value.func.value)
            function = self.source.value(value.func)
            if isinstance(function, cst.FunctionDef):
                return self._returns_agent(function)
        return self._key(value) in self.agents if self._key(value) is not None else False

    def _returns_agent(self, function: cst.FunctionDef) -> bool:
        return any(
            node.value is not None
            and self.source.enclosing(node, cst.FunctionDef) is function
            and any(part in self.calls or self._key(part) in self.agents - {None} for part in _parts(node.value))
            for node in self.source.all(cst.Return)
        )

    def _is_other(self, value: cst.CSTNode) -> bool:
        """Whether an expression is a graph that is no rewritten agent: it was compiled here."""
        followed = self.source.value(value) if isinstance(value, (cst.Name, cst.Attribute)) else value
        if isinstance(followed, cst.Call) and isinstance(followed.func, cst.Attribute):
            return followed.func.attr.value == "compile" or (
                followed.func.attr.value == "with_config" and self._is_other(followed.func.value)
            )
        return False

    def _reads(self, value: cst.CSTNode, owner: object) -> bool:
        """Whether an expression calls a reading method of an agent (or of another graph)."""
        finder = _Calls()
        value.visit(finder)
        return any(
            isinstance(call.func, cst.Attribute) and call.func.attr.value in _READS and owner(call.func.value)  # type: ignore[operator]
            for call in finder.found
        )

    def _mentions(self, value: cst.CSTNode, keys: set[object]) -> bool:
        return any(self._key(name) in keys for name in names_in(value) if self._key(name) is not None)

    # --- the literals ---

    def _judge(self) -> None:
        for node in self.source.all(cst.SimpleString):
            text = text_of(node)
            if text in self.names:
                verdict = self._verdict(node)
                if verdict == "agent":
                    self.renamed[node] = quoted_like(node, self.names[text])
                elif verdict == "unclear":
                    self.unclear.append(node)

    def _jumps(self) -> Iterator[cst.CSTNode]:
        """The literals that name a node to go to, or one to take out of a graph."""
        for node in self.source.all(cst.SimpleString):
            if text_of(node) not in self.names or node in self.unclear or node in self.renamed:
                continue
            for outer in self.source.parents(node):
                if isinstance(outer, cst.Arg) and outer.keyword is not None:
                    if outer.keyword.value == "goto" and not self._has_own_node(text_of(node), outer):
                        yield node
                    break
                if isinstance(outer, cst.Subscript):
                    holder = outer.value
                    if isinstance(holder, cst.Attribute) and holder.attr.value == "nodes":
                        yield from () if self._is_other(holder.value) else (node,)
                    break
                if isinstance(outer, (cst.Dict, cst.SimpleStatementLine)):
                    break

    def _has_own_node(self, name: str | None, goto: cst.Arg) -> bool:
        """Whether a jump is one in a graph around the agent: the file adds such a node, or names the parent."""
        command = self.source.parent(goto)
        parent = isinstance(command, cst.Call) and any(
            a.keyword is not None and a.keyword.value == "graph" for a in command.args
        )
        return parent or name in self.own

    def shown(self, node: cst.CSTNode) -> str:
        """The code around a literal, short enough for a mark."""
        parents = [node, *self.source.parents(node)][:4]
        fitting = [code for p in parents if len(code := " ".join(self.source.code(p).split())) <= 40]
        return fitting[-1] if fitting else self.source.code(node)

    def _verdict(self, node: cst.SimpleString) -> str:
        """Say of a literal: "agent" (a node of a rewritten agent), "other", or "unclear"."""
        for outer in self.source.parents(node):
            if isinstance(outer, cst.Arg) and outer.keyword is not None:
                return self._argument_verdict(outer)
            if isinstance(outer, cst.Subscript):
                return "other" if dotted(outer.value).endswith("Literal") else self._subject(outer.value)
            if isinstance(outer, cst.Comparison):
                return self._subject(outer)
            if isinstance(outer, cst.MatchCase):
                match = self.source.parent(outer)
                return self._subject(match.subject) if isinstance(match, cst.Match) else "unclear"
            if isinstance(outer, cst.Call):
                return self._call_verdict(outer, node)
            if isinstance(outer, (cst.Dict, cst.Return, cst.Assign, cst.AnnAssign)) and text_of(node) in self.own:
                return "other"  # the file builds a graph with a node of that name
            if isinstance(outer, (cst.Dict, cst.FormattedString, cst.Return, cst.Assign, cst.AnnAssign)):
                return "unclear" if not isinstance(outer, cst.FormattedString) else "other"
            if isinstance(outer, cst.SimpleStatementLine):
                return "other"  # a docstring
        return "unclear"

    def _argument_verdict(self, argument: cst.Arg) -> str:
        keyword = argument.keyword.value if argument.keyword else ""
        call = self.source.parent(argument)
        if call in self.calls or not isinstance(call, cst.Call):
            return "other"  # the call's own rules look after it
        if keyword in {"as_node", "interrupt_before", "interrupt_after"} and isinstance(call.func, cst.Attribute):
            return (
                "agent"
                if self.is_agent(call.func.value)
                else ("other" if self._is_other(call.func.value) or call.func.attr.value == "compile" else "unclear")
            )
        return "other"

    def _call_verdict(self, call: cst.Call, node: cst.SimpleString) -> str:
        if not isinstance(call.func, cst.Attribute):
            return "other"
        method = call.func.attr.value
        if method in {"get", "pop", "startswith", "endswith", "__getitem__"}:
            return self._subject(call.func.value)
        if method in _WRITES and "runs" in dotted(call.func).split("."):
            return "other"  # an assistant of langgraph_sdk
        if method in _WRITES:
            return "agent" if self.is_agent(call.func.value) and len(call.args) > 2 else "unclear"
        return "other"  # add_node("agent", ...), add_edge, print and the like

    def _subject(self, value: cst.CSTNode) -> str:
        """Judge what a literal is compared with or looked up in."""
        if isinstance(value, cst.Comparison):
            sides = [value.left, *(target.comparator for target in value.comparisons)]
            if any(_is_item(side, "name") for side in sides) and self._reads_events():
                return "unclear"  # the name of an event is that of a node, or of something else
            if any(_ends_in(side, _NOT_NODES) for side in sides):
                return "other"
        elif _ends_in(value, _NOT_NODES):
            return "other"
        if self._mentions(value, self.tainted) or self._reads(value, self.is_agent):
            return "agent"
        if self._mentions(value, self.others) or self._reads(value, self._is_other):
            # Another graph may hold the agent, and then its stream names the agent's nodes too.
            return "unclear" if self._looks_inside() else "other"
        return "unclear"

    def _reads_events(self) -> bool:
        events = {"astream_events", "stream_events", "astream_log"}
        return any(node.attr.value in events for node in self.source.all(cst.Attribute))

    def _looks_inside(self) -> bool:
        words = {text_of(node) for node in self.source.all(cst.SimpleString)}
        return "langgraph_node" in words or any(
            argument.keyword is not None and argument.keyword.value == "subgraphs"
            for argument in self.source.all(cst.Arg)
        )


def _parts(value: cst.BaseExpression) -> list[cst.BaseExpression]:
    return [element.value for element in value.elements] if isinstance(value, cst.Tuple) else [value]


class _Calls(cst.CSTVisitor):
    def __init__(self) -> None:
        self.found: list[cst.Call] = []

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802 - libcst's naming
        self.found.append(node)


def _targets(node: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    if isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
        yield node
    elif isinstance(node, (cst.Tuple, cst.List)):
        for element in node.elements:
            yield from _targets(element.value)


def _is_item(node: cst.CSTNode, key: str) -> bool:
    return not isinstance(node, cst.Attribute) and _ends_in(node, {key})


def _ends_in(node: cst.CSTNode, words: set[str]) -> bool:
    if isinstance(node, cst.Attribute):
        return node.attr.value in words
    if isinstance(node, cst.Subscript) and len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        return text_of(node.slice[0].slice.value) in words
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.args:
        return node.func.attr.value == "get" and text_of(node.args[0].value) in words
    return False
