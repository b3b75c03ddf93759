"""Where the loops of a function run: which of them at once, and which one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tree_sitter import Node

from transpile.code.syntax import (
    LOOPS,
    block_statements,
    find,
    inside,
    quoted,
)
from transpile.translators.loops.analysis.analysis import Known, Nest
from transpile.translators.loops.analysis.idioms import ALL_IDIOMS, Idiom
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.mentions import Mention, mention
from transpile.translators.refusal import Refused

Item = TypeVar("Item")

_MEMORY = ("subscript_expression", "pointer_expression")
AXES = 3
"""Loops that may run in parallel as one grid."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """Loops that stand directly in one another and all run in parallel."""

    nest: Nest
    loops: tuple[Known, ...]
    """Outermost first."""

    @property
    def node(self) -> Node:
        """Return the statement that it is."""
        return self.outer.node

    @property
    def outer(self) -> Loop:
        """Return the outermost loop."""
        return self.loops[0].loop

    @property
    def inner(self) -> Loop:
        """Return the innermost loop: its body is what runs in parallel."""
        return self.loops[-1].loop

    @property
    def merges(self) -> bool:
        """Tell whether threads have to merge what they found, or one of them to hand it out."""
        return self.loops[0].idiom is not None


@dataclass(frozen=True, slots=True, eq=False)
class SequentialNest:
    """A nest in which nothing runs in parallel."""

    nest: Nest
    reason: str
    mentions: tuple[Mention, ...] = ()
    """Parts of the reason that are about places in the function."""

    @property
    def node(self) -> Node:
        """Return the statement that it is."""
        return self.nest.node


def tried(
    parts: Sequence[Band | SequentialNest], make: Callable[[Band], Item]
) -> tuple[list[Item], list[SequentialNest]]:
    """Return what is made of each band, and what stays alone: parts, and bands of which nothing is made.

    Args:
        parts: What a function's loops are.
        make: Makes something of a band, or raises Refused.
    """
    made: list[Item] = []
    alone: list[SequentialNest] = []
    for part in parts:
        if isinstance(part, SequentialNest):
            alone.append(part)
            continue
        try:
            made.append(make(part))
        except Refused as why:
            alone.append(SequentialNest(part.nest, why.detail, why.mentions))
    return made, alone


def planned(nest: Nest, *, idioms: frozenset[Idiom] = ALL_IDIOMS) -> list[Band | SequentialNest]:
    """Return what of a nest runs in parallel: its outermost parallel loops, or nothing.

    Args:
        nest: The nest.
        idioms: Those that loops may be of, as far as a target can write them.
    """
    if nest.reason:
        return [SequentialNest(nest, nest.reason, nest.mentions)]
    found = list(_outermost(nest, nest.node, idioms))
    if found:
        return [*found]
    for item in nest.loops:
        reason = item.reason or _without_emitter(item, idioms)
        if reason:
            return [SequentialNest(nest, reason, item.mentions)]
    return [SequentialNest(nest, *_uncounted(nest.node))]


def _without_emitter(known: Known, idioms: frozenset[Idiom]) -> str:
    """Return why a loop runs sequentially on a target with some idioms; empty where it does not."""
    return known.match.reason if known.match is not None and known.idiom not in idioms else ""


def _uncounted(node: Node) -> tuple[str, tuple[Mention, ...]]:
    """Return why nothing is known of how often a loop runs, and what of that is about a place."""
    test = node.child_by_field_name("condition")
    if node.type == "for_statement" and test is not None and any(find(test, *_MEMORY)):
        return f"its trip count depends on memory: {quoted(test)}", (mention(test),)
    return "it is not a counted loop: its trip count is unknown when it begins", ()


def does_enough(part: Band | SequentialNest) -> bool:
    """Tell whether what runs in parallel does more between two meetings of threads than one loop of others.

    At an atomic update threads meet as well.
    """
    if isinstance(part, SequentialNest) or part.loops[0].updated:
        return False
    return part.node.id == part.nest.node.id or next(find(part.inner.body, *LOOPS), None) is not None


def is_grid(part: Band | SequentialNest) -> bool:
    """Tell whether several loops run in parallel as one, which does enough in any loop around them."""
    return isinstance(part, Band) and len(part.loops) > 1


def whole(part: Band | SequentialNest) -> bool:
    """Tell whether the outermost loop of a nest runs its iterations at once."""
    return isinstance(part, Band) and part.node.id == part.nest.node.id


def score(found: Sequence[Band | SequentialNest]) -> tuple[int, int, int]:
    """Return how many nests have nothing that runs in parallel, negated, and how many do so as a whole.

    Then, negated, in how many loops the outermost stand that run in parallel, over all nests.
    """
    depths: dict[int, int] = {}
    for part in found:
        if isinstance(part, Band):
            around = sum(inside(part.node, node) for node in find(part.nest.node, *LOOPS)) - 1
            depths[part.nest.node.id] = min(around, depths.get(part.nest.node.id, around))
    alone = sum(isinstance(part, SequentialNest) for part in found)
    return -alone, sum(whole(part) for part in found), -sum(depths.values())


def _outermost(nest: Nest, node: Node, idioms: frozenset[Idiom]) -> Iterator[Band]:
    known = nest.of(node)
    if known is not None and known.parallel and not _without_emitter(known, idioms):
        yield Band(nest, tuple(_nested(nest, known)))
        return
    for inner in _directly_in(node):
        yield from _outermost(nest, inner, idioms)


def only_in(nest: Nest, loop: Loop) -> Known | None:
    """Return the counted loop that is all of another's body."""
    statements = [item for item in block_statements(loop.body) if item.type != "comment"]
    return nest.of(statements[0]) if len(statements) == 1 else None


def _nested(nest: Nest, known: Known) -> Iterator[Known]:
    """Yield a parallel loop and those directly in it that may join it."""
    band = [known]
    yield known
    if known.gathers or known.checks:
        return
    while len(band) < AXES:
        inner = only_in(nest, band[-1].loop)
        if inner is None or not inner.parallel or inner.gathers or inner.checks:
            return
        if _depends(inner.loop, band):
            return
        band.append(inner)
        yield inner


def _depends(loop: Loop, band: Sequence[Known]) -> bool:
    """Tell whether how far a loop goes depends on the variables of others."""
    names = {name.text for part in (loop.first, loop.bound) for name in find(part, "identifier")}
    return any(item.loop.variable.name.encode() in names for item in band)


def _directly_in(node: Node) -> Iterator[Node]:
    inner = [item for item in find(node, *LOOPS) if item.id != node.id]
    for item in inner:
        if not any(other.id != item.id and inside(item, other) for other in inner):
            yield item
