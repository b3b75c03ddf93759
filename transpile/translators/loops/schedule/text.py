"""Loops that isl has ordered, as C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import islpy
from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name
from transpile.code.syntax import INDENT, find, inside, source
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.schedule.comments import above, behind
from transpile.translators.loops.schedule.expressions import Expressions
from transpile.translators.loops.schedule.model import Model
from transpile.translators.loops.schedule.sums import Sum, begun, sums
from transpile.translators.loops.schedule.tree import (
    called,
    calls,
    children,
    identifiers,
    iterator_of,
    kind,
    operation,
    runs_at_once,
)

_TOTALS = {"+": "sum", "*": "product"}


@dataclass(frozen=True, slots=True)
class Printer:
    """Writes what isl has built."""

    model: Model
    names: Mapping[str, str]
    """What loops' variables and parameters are called in C."""
    taken: frozenset[str] = frozenset()
    """Identifiers of the source: what is new has other names."""
    types: Mapping[str, str] = field(default_factory=dict)
    """What elements of arrays are, by name."""
    totals: Mapping[str, tuple[str, str, Node]] = field(default_factory=dict)
    """What some statements add to instead, how and what, by their names."""
    falling: frozenset[str] = frozenset()
    """Variables of isl that stand for loops that go down, as their negatives."""
    told: set[str] = field(default_factory=set)
    """Statements whose comments are written."""

    def lines(self, node: islpy.AstNode, indent: str) -> Iterator[str]:
        """Yield the lines of a node."""
        match kind(node):
            case "block":
                for child in children(node):
                    yield from self.lines(child, indent)
            case "mark":
                if runs_at_once(node):
                    yield f"{indent}#pragma omp parallel for"
                    yield from self._loop(node.mark_get_node(), indent)
                else:
                    yield from self.lines(node.mark_get_node(), indent)
            case "for":
                yield from self._gathering(node, indent)
            case "if":
                yield f"{indent}if ({self.text(node.if_get_cond())}) {{"
                yield from self.lines(node.if_get_then_node(), indent + INDENT)
                yield f"{indent}}}"
                if node.if_has_else_node():
                    yield f"{indent}else {{"
                    yield from self.lines(node.if_get_else_node(), indent + INDENT)
                    yield f"{indent}}}"
            case _:
                yield from self._statement(node.user_get_expr(), indent)

    def _gathering(self, node: islpy.AstNode, indent: str) -> Iterator[str]:
        """Yield a loop; parts of the sums that it makes are gathered side by side."""
        totals: dict[str, Sum] = {}
        for item in sums(node, self.model, self.types):
            taken = {*self.taken, *self.names.values(), *totals}
            totals[free_name(taken, _TOTALS[item.operator]) if item.type else source(item.target)] = item
        elements = {name: item for name, item in totals.items() if item.type}
        if any(begun(item, iterator_of(node), self.model) is None for item in elements.values()):
            first = {iterator_of(node): self._first(node)}
            falls = {iterator_of(node)} if _falls(node, iterator_of(node), self.model) else set[str]()
            some = replace(self, names={**self.names, **first}, falling=self.falling | falls)._test(node)
            yield f"{indent}if ({some}) {{"
            yield from self._total(node, totals, indent + INDENT)
            yield f"{indent}}}"
        else:
            yield from self._total(node, totals, indent)

    def _total(self, node: islpy.AstNode, totals: Mapping[str, Sum], indent: str) -> Iterator[str]:
        """Yield a loop that makes sums by their names."""
        elements = {name: item for name, item in totals.items() if item.type}
        for name, item in elements.items():
            yield f"{indent}{item.type} {name} = {self._part(item.call, item.target)};"
        if totals:
            yield f"{indent}#pragma omp simd {' '.join(_reductions(totals))}"
        inner = {item.statement.name: (name, item.sign, item.value) for name, item in elements.items()}
        yield from replace(self, totals=inner)._loop(node, indent)
        for name, item in elements.items():
            yield f"{indent}{self._part(item.call, item.target)} = {name};"

    def _loop(self, node: islpy.AstNode, indent: str) -> Iterator[str]:
        iterator = iterator_of(node)
        name = self._named(iterator, node)
        falls = {iterator} if _falls(node, iterator, self.model) else set()
        inner = replace(self, names={**self.names, iterator: name}, falling=self.falling | falls)
        body = list(inner.lines(node.for_get_body(), indent + INDENT))
        alone = self._is_one(node.for_get_body())
        head = (
            f"{self.model.counter} {name} = {self._first(node)}; {inner._test(node)}; {inner._advance(node)}"
        )
        yield f"{indent}for ({head}){'' if alone else ' {'}"
        yield from body
        if not alone:
            yield f"{indent}}}"

    def _first(self, node: islpy.AstNode) -> str:
        """Return what a loop begins with."""
        value = node.for_get_init()
        falls = _falls(node, iterator_of(node), self.model)
        return self._expressions.negative(value) if falls else self.text(value)

    def _test(self, node: islpy.AstNode) -> str:
        test, iterator = node.for_get_cond(), iterator_of(node)
        return (
            self._expressions.test(test, self.names[iterator])
            if iterator in self.falling
            else self.text(test)
        )

    def _advance(self, node: islpy.AstNode) -> str:
        name, step = self.names[iterator_of(node)], self.text(node.for_get_inc())
        sign = "-" if iterator_of(node) in self.falling else "+"
        return f"{name}{sign}{sign}" if step == "1" else f"{name} {sign}= {step}"

    def _is_one(self, body: islpy.AstNode) -> bool:
        """Tell whether a body is one statement of C."""
        match kind(body):
            case "for":
                return not sums(body, self.model, self.types)
            case "user":
                node = called(body.user_get_expr(), self.model).node
                return not any(above(node, self.model.nest))
            case _:
                return False

    def _named(self, iterator: str, node: islpy.AstNode) -> str:
        """Return the source's name for a loop's variable where the loop is one of the source's."""
        meant, others = set[str](), set(self.names.values())
        falls = _falls(node, iterator, self.model)
        for call, _ in calls(node):
            for at, loop in enumerate(called(call, self.model).loops):
                value = call.get_op_arg(at + 1)
                if iterator not in identifiers(value):
                    others.add(loop.variable.name)
                else:
                    meant.add(loop.variable.name if _stands(value, falls) else "")
        if "" not in meant and meant - others:
            return min(meant - others)
        blocks = (
            []
            if meant
            else [f"{self._named(iterator_of(loop), loop)}_block" for loop in _from(node, iterator)]
        )
        name = next((name for name in blocks if name not in self.names.values()), iterator)
        while name in self.taken:
            name += "_"
        return name

    def _statement(self, call: islpy.AstExpr, indent: str) -> Iterator[str]:
        statement = called(call, self.model)
        if statement.name not in self.told:
            yield from (indent + line for line in above(statement.node, self.model.nest))
        self.told.add(statement.name)
        total = self.totals.get(statement.name)
        text = self._part(call, statement.node)
        if total is not None:
            text = f"{total[0]} {total[1]} {self._part(call, total[2])};"
        yield indent + text + behind(statement.node)

    def _part(self, call: islpy.AstExpr, part: Node) -> str:
        """Return a part of a statement where it runs."""
        loops = called(call, self.model).loops
        values = [self._expressions.element(call.get_op_arg(at + 1)) for at in range(len(loops))]
        return substituted(part, loops, values)

    def condition(self, parameters: islpy.Set) -> str:
        """Return that parameters are in a set."""
        everywhere = islpy.Set.universe(parameters.get_space())
        return self.text(islpy.AstBuild.from_context(everywhere).expr_from_set(parameters))

    def text(self, value: islpy.AstExpr) -> str:
        """Return an expression."""
        return self._expressions.text(value)

    @property
    def _expressions(self) -> Expressions:
        return Expressions(self.names, self.falling, self.model.unsigned)


def _reductions(totals: Mapping[str, Sum]) -> Iterator[str]:
    for sign in dict.fromkeys(item.operator for item in totals.values()):
        alike = [name for name, item in totals.items() if item.operator == sign]
        yield f"reduction({sign} : {', '.join(alike)})"


def _falls(node: islpy.AstNode, iterator: str, model: Model) -> bool:
    """Tell whether a loop stands for one that goes down: what it means is its variable's negative."""
    values = [
        call.get_op_arg(at + 1) for call, _ in calls(node) for at in range(len(called(call, model).loops))
    ]
    own = [value for value in values if iterator in identifiers(value)]
    if not own:
        return any(_falls(loop, iterator_of(loop), model) for loop in _from(node, iterator))
    return all(_stands(value, falls=True) for value in own)


def _stands(value: islpy.AstExpr, falls: bool) -> bool:
    """Tell whether a value is that of a variable, or of its negative where the loop goes down."""
    if not falls:
        return kind(value) == "id"
    return kind(value) == "op" and operation(value) == "minus" and kind(value.get_op_arg(0)) == "id"


def _from(node: islpy.AstNode, iterator: str) -> Iterator[islpy.AstNode]:
    """Yield the loops of statements below a node that begin where a block's variable stands."""
    for child in children(node):
        if kind(child) == "for" and iterator in identifiers(child.for_get_init()):
            own = iterator_of(child)
            if any(own in identifiers(call) for call, _ in calls(child)):
                yield child
        yield from _from(child, iterator)


def substituted(part: Node, loops: Sequence[Loop], values: Sequence[str]) -> str:
    """Return a text of the source on one line, expressions for the variables of the loops around it."""
    start = part.start_byte
    edits = [
        Edit(use.start_byte - start, use.end_byte - start, value)
        for loop, value in zip(loops, values, strict=True)
        for use in loop.variable.uses
        if inside(use, part)
    ]
    # A comment may go to the end of its line, and there is one line left.
    comments = find(part, "comment")
    edits += [Edit(node.start_byte - start, node.end_byte - start, "") for node in comments]
    return " ".join(apply_outermost(source(part), edits).split())
