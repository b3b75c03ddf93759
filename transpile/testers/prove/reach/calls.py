"""Calls of a candidate's functions by others of its functions: what they pass is all that there may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import z3
from clang.cindex import CursorKind

from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.prove.reach.values import Term

Cursor = Any

_TEMPLATES = (CursorKind.FUNCTION_TEMPLATE, CursorKind.CLASS_TEMPLATE)


@dataclass(frozen=True, slots=True)
class Called:
    """A call: where it stands, and what holds where it is made."""

    function: str
    place: int
    path: tuple[Term, ...]
    arguments: tuple[Term | None, ...]
    """None of what is no whole number."""


@dataclass(frozen=True, slots=True)
class Context:
    """All calls of a function, and what is known of the terms in them."""

    calls: tuple[Called, ...] = ()
    facts: tuple[Term, ...] = ()

    def holds(self, parameters: Sequence[Term | None]) -> list[Term]:
        """Return what is known where the function runs, given its parameters in order."""
        if not self.calls:  # It is called by what calls the candidate.
            return []
        ways = []
        for call in self.calls:
            pairs = zip(parameters, call.arguments, strict=False)
            given = [one == other for one, other in pairs if one is not None and other is not None]
            ways.append(z3.And(*call.path, *given))
        return [*self.facts, z3.Or(*ways)]


def callee(cursor: Cursor) -> Cursor | None:
    """Return the function that a call names, in parentheses as well; None where none is known."""
    if cursor.referenced is not None:
        return cursor.referenced
    first = next(iter(cursor.get_children()), None)
    return None if first is None else clang.bare(first).referenced


def called(cursor: Cursor, terms: Sequence[Term | None], path: Sequence[Term]) -> Called | None:
    """Return a call of a function by its name; None of any other.

    Args:
        cursor: The call.
        terms: What its parts give, the function first.
        path: What holds there.
    """
    function = callee(cursor)
    if function is None or function.kind is not CursorKind.FUNCTION_DECL:
        return None
    given = terms[1:] if len(terms) == len(list(cursor.get_arguments())) + 1 else ()
    if any(operators.written(item) is not None for item in clang.descend(cursor)):
        given = ()  # Nobody says which argument is computed first.
    return Called(str(function.get_usr()), int(cursor.extent.start.offset), tuple(path), tuple(given))


class Callers:
    """The calls in a file, and which functions are called by nobody else."""

    def __init__(self, cursors: Sequence[Cursor], namespace: str) -> None:
        """Count what names functions.

        Args:
            cursors: All of the file.
            namespace: Of the functions that are asked about. Its templates may call what cannot be told.
        """
        references = (item.referenced for item in cursors if item.kind is CursorKind.DECL_REF_EXPR)
        self._named = Counter(item.get_usr() for item in references if item is not None)
        self._unclear = {item.spelling for item in cursors if item.kind is CursorKind.OVERLOADED_DECL_REF}
        self._open = any(item.kind in _TEMPLATES and _belongs(item, namespace) for item in cursors)
        self._seen: dict[str, dict[tuple[int, int], Called]] = {}
        self._facts: dict[str, list[Term]] = {}

    def saw(self, calls: Sequence[Called], facts: Sequence[Term]) -> None:
        """Take note of the calls in a function, and of what is known of the terms in them."""
        for number, call in enumerate(calls):
            self._seen.setdefault(call.function, {})[call.place, number] = call
            self._facts.setdefault(call.function, []).extend(facts)

    def context(self, function: Cursor) -> Context:
        """Return all calls of a function; none where it may be called otherwise."""
        if self._open or function.spelling in self._unclear or self.pending(function):
            return Context()
        name = function.get_usr()
        return Context(tuple(self._seen.get(name, {}).values()), tuple(self._facts.get(name, ())))

    def pending(self, function: Cursor) -> bool:
        """Tell whether something names a function that is no call which was seen so far."""
        places = {place for place, _ in self._seen.get(function.get_usr(), {})}
        return len(places) != self._named[function.get_usr()]


def _belongs(cursor: Cursor, namespace: str) -> bool:
    around = cursor.semantic_parent
    inside = around is not None and around.spelling == namespace
    return inside or bool(cursor.spelling.startswith(f"{namespace}__"))
