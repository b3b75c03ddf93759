"""Statements around parallel calls: what each does meanwhile, and what it leaves for later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import LOOPS, ancestors, field, find, inside, source, unparenthesized
from transpile.code.variables import Variable
from transpile.translators.refusal import DEPENDENT, Refused
from transpile.translators.tasks.body import Body, again_and_again
from transpile.translators.tasks.spawns import LEAVES, Form, Spawn, shared, spawns

_NOTHING: frozenset[Variable] = frozenset()
_JUMPS = ("return_statement", "goto_statement", "break_statement", "continue_statement")
_CHOICES = ("if_statement", "switch_statement", *LOOPS)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A statement, and what it does while calls run and when they are done."""

    statement: Node
    spawns: tuple[Spawn, ...]
    used: frozenset[Variable]
    """What it reads or writes while calls run."""
    written: frozenset[Variable]
    waiting: frozenset[Variable]
    """What it reads or writes when they are done."""
    set: frozenset[Variable]
    """What it, or a call, has written when they are done."""
    shared: frozenset[Variable]
    """What its calls may reach themselves."""
    remembers: bool
    """It touches memory when calls are done that write some."""

    @property
    def repeats(self) -> bool:
        """Tell whether it makes a call again and again."""
        return any(again_and_again(spawn.call, self.statement) for spawn in self.spawns)

    @property
    def waits(self) -> bool:
        """Tell whether it is part of what runs when calls are done."""
        return any(spawn.form is Form.WITHIN for spawn in self.spawns)

    def targets(self, *forms: Form) -> frozenset[Variable]:
        """Return the variables that calls set in these ways."""
        return frozenset(
            item.target for item in self.spawns if item.target is not None and item.form in forms
        )


def part(body: Body, statement: Node) -> Part:
    """Return what a statement does around its calls, if it makes any.

    Raises:
        Refused: Where it may not run before other calls are done.
    """
    if statement.type in LEAVES and body.calls(statement):
        return _leaf(body, statement)
    return _around(body, statement)


def conflict(earlier: Part, later: Part) -> str:
    """Return why a part may not run before the calls of an earlier one are done; empty where it may."""
    adding = earlier.targets(Form.ADDED) & later.targets(Form.ADDED)
    for item in later.used & earlier.set:
        return f"`{item.name}` is needed before all calls are done"
    for item in later.written & (earlier.waiting | earlier.shared):
        return f"`{item.name}` changes before all calls are done"
    for item in (later.targets(*Form) - adding) & (earlier.set | earlier.waiting | earlier.shared):
        return f"`{item.name}` is set by two calls"
    if earlier.remembers and later.spawns:
        return f"`{source(earlier.statement)}` touches memory before all calls are made"
    return ""


def _leaf(body: Body, statement: Node) -> Part:
    """Return a statement whose calls are all that it does at once."""
    # In their order, which nothing keeps between tasks that add.
    found = tuple(
        Spawn(item.call, item.statement, Form.WITHIN) if item.form is Form.ADDED else item
        for item in spawns(body, statement)
    )
    within = any(item.form is Form.WITHIN for item in found)
    targets = frozenset(item.target for item in found if item.target is not None)
    return Part(
        statement=statement,
        spawns=found,
        used=_NOTHING.union(*(body.used(field(item.call, "arguments")) for item in found)),
        written=_NOTHING,
        waiting=body.used(statement) if within else _NOTHING,
        set=body.written(statement) if within else targets,
        shared=shared(body, found),
        remembers=within and body.remembers(statement),
    )


def _around(body: Body, statement: Node) -> Part:
    """Return a statement all of which runs in parallel but for the calls in it."""
    _refuse_jumps(statement)
    found = tuple(_found(body, statement))
    targets, reached = (
        frozenset(item.target for item in found if item.target is not None),
        shared(body, found),
    )
    for item in (*targets, *reached):
        if inside(item.declaration, statement):
            raise Refused(DEPENDENT, f"`{item.name}` goes out of scope before the calls end")
    named = {_assigned(item.statement).id for item in found if item.target is not None}
    for item in targets:
        if any(inside(use, statement) and use.id not in named for use in item.uses):
            raise Refused(DEPENDENT, f"`{item.name}` is used before all calls are done")
    written = body.written(statement) - targets
    if any(item.escapes or item.reference or item.array or item in reached for item in written):
        raise Refused(DEPENDENT, "statements between the calls write memory")
    if body.remembers(statement):
        raise Refused(DEPENDENT, "statements between the calls access memory")
    return Part(
        statement=statement,
        spawns=found,
        used=body.used(statement) - targets,
        written=written,
        waiting=_NOTHING,
        set=targets,
        shared=reached,
        remembers=False,
    )


def _assigned(statement: Node) -> Node:
    """Return what an assignment sets."""
    return field(unparenthesized(statement.named_children[0]), "left")


def _refuse_jumps(statement: Node) -> None:
    """Raise Refused where a statement may lead elsewhere than behind it."""
    for jump in find(statement, *_JUMPS):
        loop = next((item for item in ancestors(jump) if item.type in LOOPS), None)
        leaves = jump.type in ("return_statement", "goto_statement")
        if leaves or loop is None or not inside(loop, statement):
            raise Refused(DEPENDENT, "the function may end before all calls are done")


def _found(body: Body, statement: Node) -> Iterator[Spawn]:
    """Yield the calls in a statement that holds others."""
    for call in body.calls(statement):
        leaf = next(item for item in ancestors(call) if item.type in (*LEAVES, *_CHOICES))
        if leaf.type not in LEAVES:
            raise Refused(DEPENDENT, f"the result of `{source(call)}` decides which statements run")
        own = spawns(body, leaf)
        again = again_and_again(call, statement)
        if len(own) > 1 or own[0].form is Form.WITHIN or (again and own[0].form is Form.STORED):
            raise Refused(DEPENDENT, f"the result of `{source(call)}` is needed before other calls are made")
        yield own[0]
