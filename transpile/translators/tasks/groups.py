"""Calls of a function by itself that may be parallel: statements of one block, the last of which calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from tree_sitter import Node

from transpile.code.syntax import find, inside
from transpile.translators.refusal import DEPENDENT, Refused
from transpile.translators.tasks.body import Body
from transpile.translators.tasks.parts import Part, conflict, part
from transpile.translators.tasks.regions import Regions
from transpile.translators.tasks.spawns import Form, Spawn

_MET = "nothing tells that calls touch different elements of `{}`"


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Statements that follow each other, whose calls may run in parallel."""

    parts: tuple[Part, ...]

    @property
    def stays(self) -> Spawn | None:
        """Return the call that the thread makes itself, beside the others; None where all are tasks."""
        last = self.parts[-1]
        return None if last.repeats or last.spawns[-1].form is Form.ADDED else last.spawns[-1]


def groups(body: Body) -> tuple[list[Group], list[str]]:
    """Return the groups of a function, outermost blocks first, and what keeps other calls out of them."""
    found: list[Group] = []
    reasons: list[str] = []
    regions = Regions.of(body)
    for block in find(body.function.body, "compound_statement"):
        if not any(inside(block, part.statement) for group in found for part in group.parts):
            found += _of_block(body, regions, block, reasons)
    return found, reasons


def _of_block(body: Body, regions: Regions, block: Node, reasons: list[str]) -> Iterator[Group]:
    run: list[Part] = []
    for statement in block.named_children:
        if statement.type == "comment":
            continue
        try:
            item = part(body, statement)
            _refuse_meeting(regions, item)
            why_not = next((reason for earlier in run if (reason := _conflict(regions, earlier, item))), "")
        except Refused as why:
            item, why_not = None, why.detail
        if why_not:
            reasons += [why_not] if run or body.calls(statement) else []
            yield from _closed(run)
            run = []
        if item is not None and (item.spawns or run):
            run.append(item)
    yield from _closed(run)


def _conflict(regions: Regions, earlier: Part, later: Part) -> str:
    """Return why a part may not run beside the calls of an earlier one; empty where it may, or be tried."""
    pairs = product(earlier.spawns, later.spawns)
    met = (name for one, other in pairs if (name := regions.shared(one.call, other.call)))
    return conflict(earlier, later) or next(map(_MET.format, met), "")


def _refuse_meeting(regions: Regions, item: Part) -> None:
    """Raise Refused where the calls of one statement may be given the same parts of arrays."""
    changing = regions.body.written(item.statement)
    for one, other in combinations(item.spawns, 2):
        if named := regions.shared(one.call, other.call):
            raise Refused(DEPENDENT, _MET.format(named))
    for spawn in item.spawns if item.repeats else ():
        if named := regions.repeated(spawn.call, changing):
            raise Refused(DEPENDENT, _MET.format(named))


def _closed(run: Sequence[Part]) -> Iterator[Group]:
    """Yield the statements up to the last that calls, where there are several calls."""
    last = max((number for number, item in enumerate(run) if item.spawns), default=-1)
    parts = tuple(run[: last + 1])
    if sum(len(item.spawns) for item in parts) > 1 or any(item.repeats for item in parts):
        yield Group(parts)
