"""Scalars that others fix, such as a vector's length or a row's stride: computed, never drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from transpile.contracts.fitting.fit import fit
from transpile.core import ArrayFact, Contract, Origin, Range, Role, Rows, ScalarFact
from transpile.expressions import ExpressionError, evaluate
from transpile.expressions import names as names_of

_TRIED = 24
_LARGEST = 40
_MOST_ROWS = 4096
"""As many as an entry has vectors for."""


def with_lengths(contract: Contract, widths: Mapping[str, str]) -> Contract:
    """Return the contract of a call whose vectors are as long, and whose rows as wide, as they need to be.

    Args:
        contract: What was learnt of the parts.
        widths: How far rows are touched, by the scalar that is their distance.
    """
    assembly = contract.signature.assembly
    if assembly is None:
        return contract
    for scalar, array in assembly.strides:
        contract = _with_stride(contract, scalar, array, widths.get(scalar))
    for scalar, array in assembly.sizes:
        if array in assembly.terminated:  # An entry reads the end itself, so that it is learnt.
            continue
        contract = _with_size(contract, scalar, array)
    for rows in assembly.rows:
        contract = _with_rows(contract, rows, widths.get(rows.stride))
    return replace(
        contract,
        arrays=tuple(
            replace(fact, last="0") if fact.name in assembly.terminated else fact for fact in contract.arrays
        ),
    )


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


def _with_stride(contract: Contract, scalar: str, array: str, measured: str | None) -> Contract:
    """Let rows lie side by side, as far apart as the longest of them is long."""
    fact = contract.array(array)
    if fact is None:
        return contract
    width = _width(contract, fact, scalar) if measured is None else measured
    return contract if width is None else _with_scalar(contract, scalar, width)


def _with_rows(contract: Contract, rows: Rows, width: str | None) -> Contract:
    """Give a vector of rows as many as are touched, of such a length, where the source asks for neither."""
    fact = contract.array(rows.data)
    if fact is not None and not _unused(fact):
        needs = {rows.rows: _count(fact, rows), rows.columns: width or _width(contract, fact, rows.stride)}
        for name, text in needs.items():
            known = contract.scalar(name)
            if known is not None and not known.size and text is not None:
                contract = _with_scalar(contract, name, text)
    known = contract.scalar(rows.rows)
    if known is not None and known.values.low != known.values.high:
        bounded = replace(known, values=Range(low=known.values.low, high=str(_MOST_ROWS)))
        contract = replace(
            contract, scalars=tuple(bounded if item == known else item for item in contract.scalars)
        )
    return _with_scalar(contract, rows.stride, f"{rows.columns} + {rows.gap}")


def _count(fact: ArrayFact, rows: Rows) -> str | None:
    """Return how many rows are touched; None where the extent does not say."""
    others = sorted(names_of(fact.extent) - {rows.stride})
    samples = _rows(others)
    try:
        ends = [[evaluate(fact.extent, {**row, rows.stride: stride}) for stride in (0, 1)] for row in samples]
    except ExpressionError:
        return None
    found = fit(samples, [last - first + 1 for first, last in ends], others)
    return found.text if found is not None else None


def _unused(fact: ArrayFact) -> bool:
    return fact.role is Role.UNUSED


def _width(contract: Contract, fact: ArrayFact, scalar: str) -> str | None:
    """Return how many elements the last row has; None where the extent does not say."""
    if _unused(fact):
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
    if scalar in names_of(text):
        return contract
    fixed = ScalarFact(name=scalar, values=Range(low=text, high=text), origin=Origin.SYNTAX)
    return replace(
        contract, scalars=tuple(fixed if item.name == scalar else item for item in contract.scalars)
    )


def _plain(text: str) -> bool:
    return text.isdigit() or all(part.isidentifier() for part in text.split("."))
