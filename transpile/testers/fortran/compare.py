"""Results of two calls, bit by bit: any number that is none equals any other such."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.values import Value, size
from transpile.testers.fortran.allocated import parts
from transpile.testers.fortran.outcome import Outcome
from transpile.testers.fortran.values import dtype
from transpile.toolchains.calls import Bytes, Completed, Crashed


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first place where two calls part."""

    where: str
    expected: str
    got: str
    check: str = "exact"


def difference(interface: Interface, expected: Completed, got: Completed | Crashed) -> Difference | None:
    """Return where a call differs from the source's; None where it does not."""
    if isinstance(got, Crashed):
        check = {"timeout": "timeout", "sanitizer": "address"}.get(got.reason, "crash")
        names = [item.name for item in interface.dummies]
        near = names[got.argument] if got.argument is not None and got.argument < len(names) else ""
        beside = f" at byte {got.offset} of `{near}`" if near else ""
        told = f"{got.reason}{beside} {_complaint(got.detail)}".strip()
        return Difference(where="the call", expected="it ends", got=told, check=check)
    wanted, found = Outcome.read(expected.returned), Outcome.read(got.returned)
    if replace(wanted, heard=found.heard) == found and wanted != found:
        one, other = f"{wanted.heard:x}", f"{found.heard:x}"
        return Difference(where="what it passes to procedures", expected=one, got=other)
    if wanted != found:
        return Difference(where="its end", expected=str(wanted), got=str(found))
    if expected.altered != got.altered:
        one, other = f"{expected.altered!r}", f"{got.altered!r}"
        return Difference(where="its surroundings", expected=one, got=other, check="surroundings")
    values = [(item.name, item.value) for item in interface.dummies]
    if interface.result is not None:
        values.append(("the result", interface.result))
    # Behind these stand lengths and extents; the last are variables that outlive calls.
    stored = [(item.variable.name, item.variable.value) for item in interface.state]
    rows = [*zip(values, expected.arguments, got.arguments, strict=False)]
    if stored:
        last = len(stored)
        rows += zip(stored, expected.arguments[-last:], got.arguments[-last:], strict=True)
    held = _held(interface)
    for at, ((name, value), left, right) in enumerate(rows):
        if at in held:
            unlike = _unlike_array(name, value, held[at], left, right)
        else:
            unlike = _within(name, value, left, right)
        if unlike is not None:
            return unlike
    return None


def _held(interface: Interface) -> dict[int, int]:
    """Return the ranks of allocatable arrays by their places in a call."""
    places = {at: item.rank for at, item in enumerate(interface.dummies) if item.shape == "deferred"}
    of = interface.returned
    return {**places, len(interface.dummies): of.rank} if of is not None and of.allocated else places


def _unlike_array(name: str, value: Value, rank: int, left: Bytes, right: Bytes) -> Difference | None:
    """Return the first difference of allocatable arrays: whether there is one, its bounds, its elements."""
    one, other = parts(rank, value, size(value), left), parts(rank, value, size(value), right)
    found = _within(f"whether and how {name} is allocated", *one[0], other[0][1])
    return found or _within(name, *one[1], other[1][1])


def unsaid(interface: Interface, expected: Completed, one: Completed, other: Completed) -> bool:
    """Tell whether two calls part wherever one of them parts from the source's: nothing else is wrong."""
    wanted, found, another = (Outcome.read(item.returned) for item in (expected, one, other))
    if (wanted != found and found == another) or expected.altered != one.altered:
        return False
    values = [item.value for item in interface.dummies]
    if interface.result is not None:
        values.append(interface.result)
    rows = [*zip(values, expected.arguments, one.arguments, other.arguments, strict=False)]
    if _held(interface):
        return False  # Which of its bytes are elements may differ.
    if interface.state:
        last = len(interface.state)
        stored = [item.variable.value for item in interface.state]
        parts = (item.arguments[-last:] for item in (expected, one, other))
        rows += zip(stored, *parts, strict=True)
    return all(_unsaid(*row) for row in rows)


def _unsaid(value: Value, left: Bytes, right: Bytes, other: Bytes) -> bool:
    """Tell whether elements that differ from the source's are such as are not said."""
    sides = [np.frombuffer(item.tobytes(), dtype(value)) for item in (left, right, other)]
    if value.base != "derived":
        return _is_unsaid(*sides)
    return all(_is_unsaid(*(side[part.name].ravel() for side in sides)) for part in value.parts)


def _is_unsaid(left: Any, right: Any, other: Any) -> bool:
    return not bool((_differing(left, right) & ~_differing(right, other)).any())


def _within(name: str, value: Value, left: Bytes, right: Bytes) -> Difference | None:
    """Return the first difference of a value or array; of records, what lies between parts is nothing."""
    if left.tobytes() == right.tobytes():
        return None
    one, other = np.frombuffer(left.tobytes(), dtype(value)), np.frombuffer(right.tobytes(), dtype(value))
    if value.base != "derived":
        return _unlike(name, one, other)
    for part in value.parts:
        found = _unlike(f"{name}%{part.name}", one[part.name].ravel(), other[part.name].ravel())
        if found is not None:
            return found
    return None


def _unlike(name: str, one: Any, other: Any) -> Difference | None:
    one, other = np.ascontiguousarray(one), np.ascontiguousarray(other)
    place = _first(one, other)
    if place is None:
        return None
    where = f"{name}[{place}]" if len(one) > 1 else name
    return Difference(where=where, expected=_shown(one[place]), got=_shown(other[place]))


def _first(first: Any, second: Any) -> int | None:
    """Return the first number that differs."""
    unlike = _differing(first, second)
    return int(np.argmax(unlike)) if unlike.any() else None


def _differing(first: Any, second: Any) -> Any:
    """Return which numbers differ in their bits, where not both are none."""
    first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
    bits = np.dtype(f"u{first.dtype.itemsize}")
    unlike = first.view(bits) != second.view(bits)
    if first.dtype.kind == "f":
        unlike &= ~(np.isnan(first) & np.isnan(second))
    return unlike


def _shown(value: Any) -> str:
    return repr(value.item())


def _complaint(detail: str) -> str:
    return next(
        (line.strip()[:200] for line in detail.splitlines() if "ERROR" in line or "error" in line), ""
    )
