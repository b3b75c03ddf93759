"""Which thread of a launch computes what: indices that each thread has for itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Sum = frozenset[tuple[str, ...]]
"""A sum of different products of launch quantities, each with its factors in order."""

_LETTERS = "xyz"


def product(left: Sum, right: Sum) -> Sum | None:
    """Return the product of two sums, or None where two of its terms are alike."""
    terms = [tuple(sorted((*first, *second))) for first in left for second in right]
    return frozenset(terms) if len(set(terms)) == len(terms) else None


def total(left: Sum, right: Sum) -> Sum | None:
    """Return the sum of two sums, or None where they share a term."""
    return None if left & right else left | right


def _sum(*terms: str) -> Sum:
    return frozenset(tuple(sorted(term.split("*"))) for term in terms)


@dataclass(frozen=True, slots=True)
class Indices:
    """The sums that a kernel may use as the index of a thread, or as the number of threads."""

    own: dict[Sum, str]
    """Different threads have different values, and these are all numbers below the count."""
    count: dict[Sum, str]
    assumptions: tuple[str, ...]


def indices(builtins: Iterable[str]) -> Indices:
    """Return what serves as an index in a kernel that mentions these launch quantities."""
    mentioned = frozenset(builtins)
    own: dict[Sum, str] = {}
    count: dict[Sum, str] = {}
    assumptions = ["a launch has fewer than 2^31 threads"]
    for letter in _LETTERS:
        block, grid = (
            {f"threadIdx.{letter}", f"blockDim.{letter}"} & mentioned,
            {f"blockIdx.{letter}", f"gridDim.{letter}"} & mentioned,
        )
        if block and grid:
            own[_sum(f"blockIdx.{letter}*blockDim.{letter}", f"threadIdx.{letter}")] = letter
            count[_sum(f"blockDim.{letter}*gridDim.{letter}")] = letter
        elif block:
            own[_sum(f"threadIdx.{letter}")] = letter
            count[_sum(f"blockDim.{letter}")] = letter
            assumptions.append(f"gridDim.{letter} is 1")
        elif grid:
            own[_sum(f"blockIdx.{letter}")] = letter
            count[_sum(f"gridDim.{letter}")] = letter
            assumptions.append(f"blockDim.{letter} is 1")
    unused = [letter for letter in _LETTERS if not any(name.endswith(f".{letter}") for name in mentioned)]
    if unused:
        assumptions.append(f"a launch has one thread along {' and '.join(unused)}")
    rows = ("blockIdx.x*blockDim.x", "blockIdx.y*blockDim.x*gridDim.x", "threadIdx.x")
    if not {"threadIdx.y", "blockDim.y"} & mentioned:
        own[_sum(*rows)] = "flat"
        count[_sum("blockDim.x*gridDim.x*gridDim.y")] = "flat"
    else:
        plane = ("blockIdx.y*blockDim.y*blockDim.x*gridDim.x", "threadIdx.y*blockDim.x*gridDim.x")
        own[_sum(rows[0], rows[2], *plane)] = "flat"
        count[_sum("blockDim.x*gridDim.x*blockDim.y*gridDim.y")] = "flat"
    return Indices(own, count, tuple(assumptions))


def complete(used: Iterable[str], builtins: Iterable[str]) -> bool:
    """Tell whether threads that differ, differ in one of the used indices."""
    names = frozenset(used)
    if "flat" in names and len(names) > 1:
        return False
    letters = {"x", "y"} if "flat" in names else names
    positions = {name[-1] for name in builtins if name.startswith(("threadIdx", "blockIdx"))}
    return bool(names) and positions <= letters
