"""A walk through a function: under which path each condition is asked, and what is known of it there.

Every value that a variable may have at some place is one that its term may have: what is false of the terms
happens nowhere. At the head of a loop, whatever the loop assigns may be anything, but for what counts rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import z3
from clang.cindex import CursorKind

from transpile.parsers.types import clang
from transpile.testers.prove.expressions import key_of
from transpile.testers.prove.reach.calls import Context
from transpile.testers.prove.reach.directives import Directives, copied, is_deferred, is_team
from transpile.testers.prove.reach.evaluation import Evaluation
from transpile.testers.prove.reach.loops import Counters, Header, breaks, header
from transpile.testers.prove.reach.place import MOST_THREADS
from transpile.testers.prove.reach.premises import Premises
from transpile.testers.prove.reach.variables import Variables, integer
from transpile.testers.prove.tree import NotModelled

Cursor = Any
Term = Any

_LABELS = (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT)


class Walk(Evaluation):
    """Executes a function for its conditions."""

    def __init__(self, variables: Variables, directives: Directives, premises: Premises) -> None:
        """Begin with nothing executed."""
        super().__init__(variables, premises)
        self._directives = directives

    def function(self, cursor: Cursor, context: Context | None = None) -> None:
        """Execute a function for any arguments that its premises admit, or for those of all its calls."""
        self.enter(item for item in cursor.get_children() if item.kind is CursorKind.PARM_DECL)
        self.facts.extend(self.related(self._premises.relations))
        if context is not None:
            kinds = (integer(item.type) for item in cursor.get_arguments())
            keys = (key_of(item) for item in cursor.get_arguments())
            known = [self.known.get(key) if kind else None for key, kind in zip(keys, kinds, strict=True)]
            self.facts.extend(context.holds(known))
        for child in cursor.get_children():
            if child.kind is CursorKind.COMPOUND_STMT:
                self.run(child)

    def run(self, cursor: Cursor) -> bool:
        """Execute a statement; tell whether what follows it may be reached from it."""
        led = self._directives.at(cursor.extent.start.offset)
        if led is None:
            return self._execute(cursor)
        self._begin(cursor, led)
        copies = self.variables.copies(cursor.extent.start.offset)
        path, team = list(self.path), self.team
        self.team = self.values.between(1, MOST_THREADS) if is_team(led) else team
        self._forget_named(copies)
        self._execute(cursor)
        self._forget_named(copies)
        self.path, self.team = path, team  # other threads may have left the statement out
        return True

    def _execute(self, cursor: Cursor) -> bool:
        match cursor.kind:
            case CursorKind.COMPOUND_STMT:
                return all(self.run(child) for child in cursor.get_children())
            case CursorKind.DECL_STMT:
                for child in cursor.get_children():
                    self.declare(child)
            case CursorKind.IF_STMT:
                return self._if(cursor)
            case CursorKind.FOR_STMT | CursorKind.WHILE_STMT | CursorKind.DO_STMT:
                self._loop(header(cursor))
            case CursorKind.CXX_FOR_RANGE_STMT:
                self._range(cursor)
            case CursorKind.SWITCH_STMT:
                self._switch(cursor)
            case CursorKind.RETURN_STMT:
                for child in cursor.get_children():
                    self.effect(child)
                return False
            case CursorKind.BREAK_STMT | CursorKind.CONTINUE_STMT:
                return False
            case CursorKind.NULL_STMT:
                pass
            case CursorKind.UNEXPOSED_STMT:  # a statement with attributes
                return all(
                    self.run(child) for child in cursor.get_children() if not child.kind.is_attribute()
                )
            case _ if clang.is_expression(cursor):
                self.effect(cursor)
            case kind:
                raise NotModelled(str(kind.name))
        return True

    def _begin(self, cursor: Cursor, led: str) -> None:
        """Take note of what directives do to a statement: they hand it out, and may let it wait."""
        self.blur(cursor.extent.start.line)
        if "collapse" in led:
            for inner in clang.descend(cursor):
                if inner.kind is CursorKind.FOR_STMT:
                    self.blur(inner.extent.start.line)
        if is_deferred(led):
            self._defer(copied(led))

    def _forget_named(self, names: frozenset[str]) -> None:
        self.forget([key for key in self.known if key.partition("@")[0] in names])

    def _defer(self, kept: frozenset[str]) -> None:
        """Forget what may have changed by the time that a task runs."""
        for key in list(self.known):
            if key.partition("@")[0] not in kept and not self.variables.is_constant(key):
                self.forget([key])

    def _if(self, cursor: Cursor) -> bool:
        condition, *ways = cursor.get_children()
        if not clang.is_expression(condition) or len(ways) not in (1, 2):
            raise NotModelled("a declaration in a condition")
        test = self.truth(condition)
        before, path = dict(self.known), list(self.path)
        self.path = [*path, test]
        first = self.run(ways[0])
        taken, taken_path = self.known, self.path
        self.known, self.path = dict(before), [*path, z3.Not(test)]
        second = self.run(ways[1]) if len(ways) > 1 else True
        if first and second:
            self.known, self.path = self.merged(test, taken, self.known, before), path
        elif first:
            self.known, self.path = taken, taken_path
        return first or second

    def _loop(self, loop: Header) -> None:
        if loop.first is not None:
            self.run(loop.first)
        path = list(self.path)
        counters = Counters(loop, self)
        counters.havoc()
        if loop.condition is not None and not loop.late:
            self.path.append(self.truth(loop.condition))
        self.run(loop.body)
        self.path = list(path)
        counters.havoc()
        if loop.step is not None:
            self.effect(loop.step)
            counters.havoc()
        if loop.condition is None:
            return
        test = self.truth(loop.condition) if loop.late else self.unrecorded(loop.condition)
        if not breaks(loop.body):
            self.path.append(z3.Not(test))

    def _range(self, cursor: Cursor) -> None:
        """Execute a round of a loop over a container."""
        self.blur(cursor.extent.start.line)
        path, (*parts, body) = list(self.path), cursor.get_children()
        loop = Header(first=None, condition=None, step=None, body=cursor)
        counters = Counters(loop, self)
        counters.havoc()
        for part in parts:
            if part.kind is CursorKind.VAR_DECL:
                self.declare(part)
        self.run(body)
        counters.havoc()
        self.path = path

    def _switch(self, cursor: Cursor) -> None:
        asked, body = cursor.get_children()
        if integer(asked.type) is None or body.kind is not CursorKind.COMPOUND_STMT:
            raise NotModelled("a switch of an unusual form")
        value = self.value(asked)
        parts = list(_parts(body))
        tests = {
            id(part): value == self.value(next(iter(part.cursor.get_children())))
            for part in parts
            if part.cursor.kind is CursorKind.CASE_STMT
        }
        none = z3.Not(z3.Or(*tests.values()))
        ways = _ways(parts)
        for way in ways:
            self.record(asked, [z3.Or(*(tests.get(id(part), none) for part in way))])
        if not any(part.cursor.kind is CursorKind.DEFAULT_STMT for way in ways for part in way):
            self.record(asked, [none])
        path = list(self.path)
        counters = Counters(Header(first=None, condition=None, step=None, body=body), self)
        seen: list[Term] = []
        for part in parts:
            if part.label:
                seen.append(tests.get(id(part), none))
                counters.havoc()  # by the label, or from the case above
                self.path = [*path, z3.Or(*seen)]
            else:
                self.run(part.cursor)
        counters.havoc()
        self.path = path


@dataclass(frozen=True, slots=True)
class _Part:
    """A label of a switch, or a statement behind one."""

    cursor: Cursor
    label: bool


def _ways(parts: Sequence[_Part]) -> list[list[_Part]]:
    """Return the labels of a switch, those together that stand before the same statement."""
    groups = groupby(parts, key=lambda part: part.label)
    return [list(group) for label, group in groups if label]


def _parts(body: Cursor) -> Iterator[_Part]:
    """Yield the labels and statements of a switch.

    Raises:
        NotModelled: A label stands within a statement, or is for a range of values.
    """
    for child in body.get_children():
        while child.kind in _LABELS:
            yield _Part(child, label=True)
            children = list(child.get_children())
            if len(children) != (2 if child.kind is CursorKind.CASE_STMT else 1):
                raise NotModelled("a label of an unusual form")
            child = children[-1]
        if _labelled(child):
            raise NotModelled("a label within a statement")
        yield _Part(child, label=False)


def _labelled(cursor: Cursor) -> bool:
    """Tell whether labels of a switch stand within a statement, but for those of a switch there."""
    if cursor.kind is CursorKind.SWITCH_STMT:
        return False
    return any(child.kind in _LABELS or _labelled(child) for child in cursor.get_children())
