"""Conditions on the source's own settings, ``#if (DEBUG > 0)``, in kernels that are cut into pieces.

The pieces between barriers would have to be cut for every setting. The branches of this build are ported, and
a build with another setting is refused by the port instead of doing something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from transpile.code.edits import edited
from transpile.code.lexer import Token, tokenize
from transpile.core import Source, Unit
from transpile.parsers.files.branches import Values, condition_of, edits_without, holds, settings
from transpile.parsers.files.conditionals import chains


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A source in which a kernel has no conditions on settings."""

    source: Source
    guards: bytes
    """Directives that refuse builds with other settings."""


def settled(source: Source, unit: Unit) -> Settled | None:
    """Return the source with the branches that this build compiles; None where not all are known."""
    groups = chains(tokenize(unit.text).text)
    known = settings(source, unit, [mark for marks in groups for mark in marks], by_flags=True)
    edits = tuple(edits_without(unit.text, unit.span.start, known))
    without = edited(source, {unit.path: edits})
    if not edits or chains(tokenize(without.unit(unit.id).text).text):
        return None
    guards = dict.fromkeys(guard for marks in groups for guard in _guards(marks[:-1], unit, known))
    return Settled(source=without, guards="".join(guards).encode("latin-1"))


def _guards(branches: Iterable[Token], unit: Unit, known: Values) -> Iterator[str]:
    """Yield directives that refuse a build in which another branch is compiled."""
    for mark in branches:
        condition, taken = condition_of(mark), holds(mark, known)
        if not condition or taken is None:
            return
        with_it, wrong = ("with", f"!({condition})") if taken else ("without", condition)
        yield f'#if {wrong}\n#error "{unit.name} was ported for builds {with_it} {condition}"\n#endif\n'
        if taken:
            return
