"""Which form of a function is translated: the source's own, or the normal form where that frees more."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.code.syntax import Function
from transpile.code.variables import Variables, resolve
from transpile.core import Contract
from transpile.translators.loops.analysis.idioms import Idiom
from transpile.translators.loops.analysis.plan import score, whole
from transpile.translators.loops.forms.algorithms import names_one
from transpile.translators.loops.forms.normal import normal
from transpile.translators.loops.planning.facts import Part, parts
from transpile.translators.loops.planning.ordered import in_order
from transpile.translators.loops.planning.overlaps import entangled
from transpile.translators.loops.planning.signs import with_signs
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


@dataclass(frozen=True, slots=True)
class Choice:
    """A form of a function, and what of it runs in parallel."""

    function: Function
    variables: Variables
    parts: tuple[Part, ...]
    rules: tuple[str, ...]
    """What it rests on beside the rules of its target."""


def chosen(
    text: str,
    contract: Contract | None,
    around: EnclosingScope,
    *,
    idioms: frozenset[Idiom],
    asking: bool = False,
    comparing: bool = False,
) -> Choice:
    """Return a function as it is written; in normal form where that alone frees a nest of loops.

    Args:
        text: The function.
        contract: What is known of its parameters.
        around: What its names stand for.
        idioms: Those that a target can write.
        asking: Whether a loop may run in parallel only where a check says so.
        comparing: Whether it may do so only where the caller's numbers are not too small.
    """
    written = formed(text, contract, around, idioms=idioms, asking=asking, comparing=comparing)
    if all(whole(part) for part in written.parts) and not names_one(text):
        return written
    rewritten = normal(text, around)
    if rewritten == text:
        return written
    found = formed(
        rewritten, contract, around, "normal form", idioms=idioms, asking=asking, comparing=comparing
    )
    if any(entangled(part, contract, found.variables) for part in found.parts):
        return written  # no form but the source's own reads such members when the source does
    return found if score(found.parts) > score(written.parts) else written


def formed(
    text: str,
    contract: Contract | None,
    around: EnclosingScope,
    *rules: str,
    idioms: frozenset[Idiom],
    asking: bool = False,
    comparing: bool = False,
) -> Choice:
    """Return a form of a function, which rules led to, with what of it runs in parallel."""
    function = Function.of(text)
    variables = resolve(function, around.refers, around.words)
    found, assumed = parts(function, variables, contract, around, idioms=idioms)
    found, ordered = in_order(found, variables, contract, around, idioms=idioms, asking=asking)
    signs: tuple[str, ...] = ()
    if comparing:
        found, signs = with_signs(found, variables, around, idioms=idioms, first=not asking)
    return Choice(function, variables, tuple(found), (*rules, *assumed, *ordered, *signs))
