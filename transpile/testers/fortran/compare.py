"""Results of two calls, bit by bit: any number that is none equals any other such."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.values import Value
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
    for (name, value), left, right in rows:
        place = _first(value, left, right)
        if place is not None:
            parts = left.view(dtype(value)), right.view(dtype(value))
            where = f"{name}[{place}]" if len(parts[0]) > 1 else name
            return Difference(where=where, expected=_shown(parts[0][place]), got=_shown(parts[1][place]))
    return None


def _first(value: Value, one: Bytes, other: Bytes) -> int | None:
    """Return the first part of a value or array that differs."""
    if one.tobytes() == other.tobytes():
        return None
    of = dtype(value)
    first, second = np.frombuffer(one.tobytes(), of), np.frombuffer(other.tobytes(), of)
    bits = np.dtype(f"u{of.itemsize}")
    unlike = first.view(bits) != second.view(bits)
    if of.kind == "f":
        unlike &= ~(np.isnan(first) & np.isnan(second))
    return int(np.argmax(unlike)) if unlike.any() else None


def _shown(value: Any) -> str:
    return repr(value.item())


def _complaint(detail: str) -> str:
    return next(
        (line.strip()[:200] for line in detail.splitlines() if "ERROR" in line or "error" in line), ""
    )
