"""Scalars that are nobody's choice: the length of a vector and the distance of rows follow from elements."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from transpile.core import ArrayFact, Contract, Origin, Range, Role, ScalarFact
from transpile.expressions import ExpressionError, evaluate, names

_TRIED = 24
_LARGEST = 40


def with_lengths(contract: Contract) -> Contract:
    """Return the contract of a call whose vectors are as long, and whose rows as wide, as they need to be."""
    assembly = contract.signature.assembly
    if assembly is None:
        return contract
    for scalar, array in assembly.strides:
        contract = _with_stride(contract, scalar, array)
    for scalar, array in assembly.sizes:
        contract = _with_size(contract, scalar, array)
    return contract


def _with_size(contract: Contract, scalar: str, array: str) -> Contract:
    """Give a vector the size that its elements need; where the source asks for it, they follow the size."""
    fact = contract.array(array)
    known = contract.scalar(scalar)
    if fact is None or known is None:
        return contract
    if not known.size:
        return _with_scalar(
            contract, scalar, fact.extent if _plain(fact.extent) else f"max({fact.extent}, 0)"
        )
    if fact.extent == scalar:
        return contract
    longer = replace(fact, extent=scalar if fact.role is Role.UNUSED else f"max({fact.extent}, {scalar})")
    return replace(contract, arrays=tuple(longer if item == fact else item for item in contract.arrays))


def _with_stride(contract: Contract, scalar: str, array: str) -> Contract:
    """Let rows lie side by side, as far apart as the last of them is long."""
    fact = contract.array(array)
    if fact is None:
        return contract
    width = _width(contract, fact, scalar)
    return contract if width is None else _with_scalar(contract, scalar, width)


def _width(contract: Contract, fact: ArrayFact, scalar: str) -> str | None:
    """Return how many elements the last row has; None where the extent does not say."""
    if fact.role is Role.UNUSED:
        return "1"
    others = [item.name for item in contract.scalars if item.name != scalar]
    rows = _rows(others)
    try:
        ends = [[evaluate(fact.extent, {**row, scalar: stride}) for stride in (0, 1, 7)] for row in rows]
    except ExpressionError:
        return None
    if any(last - first != 7 * (second - first) for first, second, last in ends):
        return None
    widths = [first for first, _, _ in ends]
    for name in others:
        if [row[name] for row in rows] == widths:
            return name
    return "max(" + re.sub(rf"(?<![\w.]){re.escape(scalar)}(?![\w.])", "0", fact.extent) + ", 1)"


def _rows(others: list[str]) -> list[dict[str, int]]:
    generator = np.random.default_rng(5)
    return [{name: int(generator.integers(1, _LARGEST)) for name in others} for _ in range(_TRIED)]


def _with_scalar(contract: Contract, scalar: str, text: str) -> Contract:
    """Fix a scalar to the value of an expression that does not mention it."""
    if scalar in names(text):
        return contract
    fixed = ScalarFact(name=scalar, values=Range(low=text, high=text), origin=Origin.SYNTAX)
    return replace(
        contract, scalars=tuple(fixed if item.name == scalar else item for item in contract.scalars)
    )


def _plain(text: str) -> bool:
    return text.isdigit() or all(part.isidentifier() for part in text.split("."))
