"""Differences between a contract and the known facts of a generated function."""

from __future__ import annotations

from dataclasses import dataclass

import known
import numpy as np
from known import Known

from transpile.core import Contract, Origin
from transpile.expressions import ExpressionError, evaluate


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """Errors of a contract."""

    narrow: tuple[str, ...] = ()
    """Extents that are less than what a valid call reaches."""
    open_ended: tuple[str, ...] = ()
    """Such extents of which the contract says that data decides them."""
    ranges: tuple[str, ...] = ()
    """Ranges and relations that a valid call does not keep to."""
    wide: tuple[str, ...] = ()
    """Extents said to be exact that no call reaches."""


def drawn(function: Known, number: int) -> tuple[known.Value, ...]:
    """Return the arguments of a function's valid call of that number."""
    return function.draw(np.random.default_rng([number, len(function.text)]))


def compare(function: Known, contract: Contract, calls: int) -> Differences:
    """Return where a contract differs from the truth on so many valid calls."""
    ranges: list[str] = []
    reached: dict[str, list[tuple[int, int]]] = {}
    strides = {item.name: item.stride for item in function.parameters}
    for number in range(calls):
        values = dict(zip((item.name for item in function.parameters), drawn(function, number), strict=True))
        names = environment(function, values)
        for fact in contract.arrays:
            if fact.name in values:
                extent, length = _value(fact.extent, names), len(values[fact.name]) // strides[fact.name]
                if extent is not None:
                    reached.setdefault(fact.name, []).append((max(extent, 0), length))
        for text in broken(function, contract, values, names):
            if text not in ranges:
                ranges.append(text)
    narrow, open_ended, wide = [], [], []
    for fact in contract.arrays:
        pairs = reached.get(fact.name, [])
        if short := [pair for pair in pairs if pair[0] < pair[1]]:
            found = open_ended if fact.origin is Origin.BOUND else narrow
            found.append(f"{fact.name} has {fact.extent}: {short[0][0]} of {short[0][1]}")
        used = [pair for pair in pairs if pair[1]]
        if fact.origin is Origin.TRACE and len(used) > 5 and all(extent > length for extent, length in used):
            wide.append(f"{fact.name} has {fact.extent}: {used[0][0]} for {used[0][1]}")
    return Differences(
        narrow=tuple(narrow), open_ended=tuple(open_ended), ranges=tuple(ranges), wide=tuple(wide)
    )


def environment(function: Known, values: dict[str, known.Value]) -> dict[str, int]:
    """Return the whole numbers that a contract may name."""
    names: dict[str, int] = {}
    for item in function.parameters:
        value = values[item.name]
        if isinstance(value, bytes) or "struct" in item.declared:
            raw = value if isinstance(value, bytes) else value.tobytes()
            if len(raw) == 16 and "rows" in function.types:
                members = zip(("rows", "pad", "columns", "pitch"), np.frombuffer(raw, "i4"), strict=True)
                names |= {f"{item.name}.{member}": int(number) for member, number in members}
        elif not isinstance(value, np.ndarray):
            names[item.name] = int(value)
        elif value.dtype.kind in "iu":
            names |= {f"{item.name}[{at}]": int(value[at]) for at in range(min(8, len(value)))}
    return names


def broken(
    function: Known, contract: Contract, values: dict[str, known.Value], names: dict[str, int]
) -> list[str]:
    """Return what of a contract a valid call does not keep to."""
    found = [text for text in contract.relations if _value(text, names) == 0]
    for fact in (*contract.arrays, *contract.scalars):
        value = values.get(fact.name)
        if fact.values is None or value is None or isinstance(value, bytes) or "struct" in function.types:
            continue
        low, high = _value(fact.values.low, names), _value(fact.values.high, names)
        held = np.asarray(value)
        if held.dtype.kind not in "iu" or not held.size:
            continue
        if (low is not None and held.min() < low) or (high is not None and held.max() > high):
            found.append(f"{fact.name} in {fact.values.low} .. {fact.values.high}")
    return found


def _value(text: str, names: dict[str, int]) -> int | None:
    try:
        return evaluate(text, names)
    except ExpressionError:
        return None
