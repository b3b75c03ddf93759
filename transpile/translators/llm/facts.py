"""Facts of a contract in words: what calls respect, and apart from it what may be chance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from transpile.core import (
    ArrayFact,
    Contract,
    Covers,
    Invariant,
    LaunchLaw,
    Origin,
    Parameter,
    Role,
    ScalarFact,
    ShapeDependent,
    Unbounded,
)

_WORD = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_PLAIN = frozenset(("0", "1", "2"))
"""Numbers that need no reason."""
_LAUNCH = frozenset(("gridDim", "blockDim", "dynamicShared", "x", "y", "z", "max", "min"))
_LOWEST = {str(-(2**bits)) for bits in (7, 15, 31, 63)} | {str(1 - 2**bits) for bits in (31, 63)}
_HIGHEST = {str(2**bits - 1) for bits in (7, 8, 15, 16, 31, 32, 63, 64)}
"""Ends of types: an interval that reaches them says nothing there."""
_RESTRICT = re.compile(r"\b(?:__restrict__|__restrict|restrict)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Facts about calls, a line each."""

    certain: tuple[str, ...]
    """Facts that every call respects, and translations may rely on."""
    seen: tuple[str, ...]
    """Facts that held in all calls that were looked at, and nothing in the text asks for."""


def facts_of(contracts: Sequence[Contract], text: str) -> Facts:
    """Return what calls respect; of several signatures that of the first.

    Contracts are learnt from samples: a number or a parameter in a relation that the text does not know is
    chance as often as not, and whoever is told of it as a fact builds on it.

    Args:
        contracts: Of the unit.
        text: The unit with what it calls and refers to.
    """
    if not contracts:
        return Facts(certain=(), seen=())
    contract = contracts[0]
    words, known = set(_WORD.findall(text)), set(_NUMBER.findall(text)) | _PLAIN
    certain = [_array(fact) for fact in contract.arrays]
    seen: list[str] = []
    for scalar in contract.scalars:
        line = _scalar(scalar)
        (seen if _is_chance(scalar, known) else certain).extend([line] if line else [])
    for relation in contract.relations:
        strange = set(_WORD.findall(relation)) - words - _LAUNCH or set(_NUMBER.findall(relation)) - known
        (seen if strange else certain).append(f"always {relation}")
    certain += _overlaps(contract)
    if contract.law is not None:
        certain.append(_law(contract.law))
    return Facts(certain=tuple(certain), seen=tuple(seen))


def _array(fact: ArrayFact) -> str:
    parts = [f"`{fact.name}`: {fact.role} array of {fact.extent} elements"]
    if fact.before != "0":
        parts.append(f"{fact.before} more below the pointer")
    if fact.values is not None:
        parts.append(f"values {_interval(fact.values.low, fact.values.high) or 'of any size'}")
    # Of one element, everything holds.
    if fact.distinct and fact.extent != "1":
        parts.append("all different")
    if fact.ascending and fact.extent != "1":
        parts.append("ascending")
    if fact.atomic:
        parts.append("several threads may add to one element")
    return ", ".join(parts)


def _scalar(fact: ScalarFact) -> str:
    interval = _interval(fact.values.low, fact.values.high)
    multiple = f"a multiple of {fact.multiple_of}" if fact.multiple_of != "1" else ""
    said = ", ".join(part for part in (interval, multiple) if part)
    return f"`{fact.name}`: {said}" if said else ""


def _interval(low: str, high: str) -> str:
    if low in _LOWEST and high in _HIGHEST:
        return ""
    if low == high:
        return f"always {low}"
    if high in _HIGHEST:
        return f"from {low} up"
    return f"up to {high}" if low in _LOWEST else f"from {low} to {high}"


def _is_chance(fact: ScalarFact, known: set[str]) -> bool:
    """Tell whether a scalar never changed, or is a multiple of a number, for no reason in the text."""
    if fact.origin in (Origin.USER, Origin.CALLERS):
        return False
    fixed = (
        fact.values.low == fact.values.high and not set(_NUMBER.findall(fact.values.low)) <= known - _PLAIN
    )
    return fixed or not set(_NUMBER.findall(fact.multiple_of)) <= known


def _overlaps(contract: Contract) -> Iterator[str]:
    """Yield which arrays may be one, and that no others overlap."""
    roles = {fact.name: fact.role for fact in contract.arrays}
    pointers = [item for item in contract.signature.parameters if item.pointer and item.name in roles]
    if len(pointers) < 2:
        return
    pairs = [
        f"`{out.name}` may be `{other.name}` itself"
        for out, other in permutations(pointers, 2)
        if roles[other.name] is Role.IN and roles[out.name] in (Role.OUT, Role.INOUT) and _alike(out, other)
    ]
    if pairs:
        yield f"{', '.join(pairs)} where both are equally long; otherwise arrays do not overlap"
    else:
        yield "arrays do not overlap"


def _alike(first: Parameter, second: Parameter) -> bool:
    promised = _RESTRICT.search(first.spelling) or _RESTRICT.search(second.spelling)
    return not promised and first.element == second.element


def _law(law: LaunchLaw) -> str:
    match law:
        case Invariant():
            return "any launch gives the same result"
        case Covers(joint=True, x=whole):
            return f"every launch has at least {whole} threads in all, and more change nothing"
        case Covers(x=x, y=y, z=z):
            return f"every launch has at least ({x}, {y}, {z}) threads, and more change nothing"
        case Unbounded():
            return "every thread works: what is touched depends on the launch"
        case ShapeDependent(relations=relations):
            more = f", and {', '.join(relations)}" if relations else ""
            return f"the shape of the launch is part of the meaning{more}"
