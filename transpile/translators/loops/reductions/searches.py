"""Searches: loops that end in the first iteration in which a condition holds.

Side by side, iterations run that the source does not come to. So a loop is a search only where those do no
harm: all that the condition may read is there, and what it computes is defined whatever memory holds.
"""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.polynomial import INTEGER_TYPES
from transpile.code.syntax import block_statements, condition, field, find, operator
from transpile.code.types import LENGTH
from transpile.code.variables import Variables
from transpile.translators.loops.iteration.nests import Loop, early_exits, leaves_early
from transpile.translators.loops.iteration.trips import few
from transpile.translators.loops.reductions.speculation import ENDED, Speculation
from transpile.translators.loops.symbols.containers import measured
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import is_whole, signed
from transpile.translators.mentions import NO_REASON, Mention, Reason
from transpile.translators.refusal import SEQUENTIAL, Refused

_JUMPS = ("break_statement", "continue_statement", "goto_statement", "labeled_statement")
_SIZE = "std::size_t"


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A loop that does no more than look for its first hit."""

    loop: Loop
    kind: str
    """The type that holds every value of the loop's variable, and the one behind the last."""
    given: tuple[Node, ...]
    """Declarations at the beginning of an iteration."""
    test: Node
    hit: tuple[Node, ...]
    """What is done at a hit, before the loop is left."""


def search(loop: Loop, variables: Variables, around: EnclosingScope) -> Search:
    """Return a loop that is left early as a search; raises Refused, which says why it is none."""
    given, test, hit = _parts(loop)
    kind = _kind(loop, variables)
    wraps = loop.step > 0 and loop.inclusive  # behind the largest number there is no other
    if few(loop) or abs(loop.step) != 1 or wraps or not kind:
        raise Refused(SEQUENTIAL, ENDED)
    speculation = Speculation(loop, variables, around)
    for declaration in given:
        speculation.declares(declaration)
    speculation.computes(test)
    return Search(loop, kind, given, test, hit)


def obstacle(loop: Loop, variables: Variables, around: EnclosingScope) -> Reason:
    """Return why a loop that is left early stays as it is; an empty reason where no iteration leaves it.

    A search is one in normal form, and not as its author wrote it.
    """
    if not leaves_early(loop):
        return NO_REASON
    leaving = Mention(ENDED, next(early_exits(loop)))
    try:
        search(loop, variables, around)
    except Refused as why:
        return Reason(why.detail, (leaving, *why.mentions))
    return Reason(ENDED, (leaving,))


def _parts(loop: Loop) -> tuple[tuple[Node, ...], Node, tuple[Node, ...]]:
    """Return what an iteration declares, what it asks, and what it does at a hit."""
    *given, last = _statements(loop.body) or [loop.body]
    declared = all(item.type == "declaration" for item in given)
    if not declared or last.type != "if_statement" or last.child_by_field_name("alternative") is not None:
        raise Refused(SEQUENTIAL, ENDED)
    *hit, leaving = _statements(field(last, "consequence")) or [last]
    if leaving.type == "return_statement":
        hit.append(leaving)
    elif leaving.type != "break_statement":
        raise Refused(SEQUENTIAL, ENDED)
    if any(True for item in hit for _ in find(item, *_JUMPS)):
        raise Refused(SEQUENTIAL, ENDED)
    return tuple(given), condition(last), tuple(hit)


def _statements(node: Node) -> list[Node]:
    return [item for item in block_statements(node) if item.type != "comment"]


def _kind(loop: Loop, variables: Variables) -> str:
    """Return a type that holds a loop's variable and its bound; empty where that is not clear."""
    own = loop.variable.bare
    if own not in INTEGER_TYPES or (loop.step < 0 and not signed(own)):
        return ""
    calls = list(find(loop.bound, "call_expression"))
    lengths = [call for call in calls if measured(call, variables) is not None]
    if lengths:
        wider = _SIZE if is_whole(own) and own != LENGTH else loop.variable.type
        return wider if lengths[0].id == loop.bound.id and loop.step > 0 else ""
    types = {item.bare for item in variables.used_in(loop.bound)}
    return loop.variable.type if types <= {own} and (signed(own) or not _subtracts(loop.bound)) else ""


def _subtracts(node: Node) -> bool:
    """Tell whether an expression of unsigned numbers may wrap below zero."""
    return any(operator(item) == "-" for item in find(node, "binary_expression", "unary_expression"))
