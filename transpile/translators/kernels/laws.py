"""One law for all instances of a kernel: a template has one text, launched as each instance needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from math import prod

from transpile.core import Contract, Covers, Invariant, LaunchLaw, ShapeDependent, Unbounded

_FIXED = re.compile(r"blockDim\.([xyz]) == (\d+)")
_WHOLE = "blockDim.x % 32 == 0"
_ANY = "blockDim.x >= 1"


def common_law(contracts: Sequence[Contract]) -> LaunchLaw | None:
    """Return a law that admits what the law of each instance admits: only what holds for all is relied on."""
    laws = list(dict.fromkeys(contract.law for contract in contracts if contract.law is not None))
    if len(laws) < 2:
        return laws[0] if laws else None
    shaped = [law for law in laws if isinstance(law, ShapeDependent)]
    if shaped:
        return _shape(laws, shaped)
    covering = [law for law in laws if isinstance(law, Covers)]
    if any(isinstance(law, Unbounded) for law in laws) or len({law.joint for law in covering}) > 1:
        return Unbounded()
    return reduce(_both, covering) if covering else Invariant()


def distinct_in_all(contracts: Sequence[Contract]) -> frozenset[str]:
    """Return the arrays whose elements are pairwise different in the calls of every instance."""
    return _in_all([{fact.name for fact in contract.arrays if fact.distinct} for contract in contracts])


def ascending_in_all(contracts: Sequence[Contract]) -> frozenset[str]:
    """Return the arrays whose elements do not decrease in the calls of every instance."""
    return _in_all([{fact.name for fact in contract.arrays if fact.ascending} for contract in contracts])


def _in_all(named: Sequence[set[str]]) -> frozenset[str]:
    return frozenset(set.intersection(*named)) if named else frozenset()


def _shape(laws: Sequence[LaunchLaw], shaped: Sequence[ShapeDependent]) -> ShapeDependent:
    """Return the relations that the launches of all instances keep."""
    common: list[str] = []
    if len(shaped) == len(laws):
        others = [law.relations for law in shaped[1:]]
        common = [text for text in shaped[0].relations if all(text in relations for relations in others)]
        sizes = [block_size(law, "x") for law in shaped]
        if all(size is not None and size % 32 == 0 for size in sizes):
            common.append(_WHOLE)
        common += _alternatives([_of_scalars(law, common) for law in shaped])
    # A law without relations says nothing against whole warps, and an instance here may.
    stated = any(law.relations for law in shaped) or len(shaped) < len(laws)
    launches = dict.fromkeys(launch for law in shaped for launch in law.launches)
    relations = tuple(dict.fromkeys(common)) or ((_ANY,) if stated else ())
    return ShapeDependent(relations=relations, launches=tuple(launches))


def _of_scalars(law: ShapeDependent, known: Sequence[str]) -> str:
    """Return what a law says of scalars alone beyond what is known; empty where that is nothing."""
    return " && ".join(text for text in law.relations if "Dim" not in text and text not in known)


def _alternatives(said: Sequence[str]) -> list[str]:
    """Return that one of several relations holds, where each instance has one."""
    return [" || ".join(f"({text})" for text in dict.fromkeys(said))] if all(said) else []


def block_size(law: LaunchLaw | None, axes: str) -> int | None:
    """Return the number of threads of a block on some axes, where a law fixes all of them."""
    relations = law.relations if isinstance(law, ShapeDependent) else ()
    found = (_FIXED.fullmatch(relation) for relation in relations)
    sizes = {match[1]: int(match[2]) for match in found if match is not None}
    return prod(sizes[axis] for axis in axes) if axes and sizes.keys() >= set(axes) else None


def _both(one: Covers, other: Covers) -> Covers:
    """Return the law of launches that cover what either asks for, which is right for both."""
    x, y, z = (_greater(a, b) for a, b in ((one.x, other.x), (one.y, other.y), (one.z, other.z)))
    return Covers(x=x, y=y, z=z, joint=one.joint)


def _greater(one: str, other: str) -> str:
    """Return the greater of two expressions, as C++ says it without a header."""
    return one if one == other else f"(({one}) > ({other}) ? ({one}) : ({other}))"
