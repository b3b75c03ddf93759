"""Tolerances in words, for the evidence and for people."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.core import Scalar, Tolerance
from transpile.testers.compare.tolerance import Key, allowed

_WIDE = {
    Scalar.FLOAT16: "float",
    Scalar.BFLOAT16: "float",
    Scalar.FLOAT32: "double",
    Scalar.FLOAT64: "long double",
}


def told(errors: Mapping[Key, float], made: Mapping[Key, float], kinds: Mapping[Key, Scalar]) -> str:
    """Return how far each output may be off, is off, and why that much.

    Args:
        errors: The source's own errors, 0 where they could not be measured.
        made: The candidate's.
        kinds: The types of the outputs.
    """
    rows = [(key, errors[key], made[key]) for key in sorted(errors) if made.get(key, 0.0) > 0]
    return "; ".join(
        f"{_name(key)}: within {allowed(error):.3g} roundings of {_reference(error, kinds.get(key))},"
        f" it is {off:.2g}"
        for key, error, off in rows
    )


def told_by_user(tolerance: Tolerance) -> str:
    """Return what the user allows."""
    parts = [f"{tolerance.relative:g} of the value"] if tolerance.relative else []
    parts += [f"{tolerance.absolute:g}"] if tolerance.absolute else []
    return f"within {' + '.join(parts)} of the source: your tolerance, not a measured one"


def _name(key: Key) -> str:
    name, leaf = key
    return f"{name}.{leaf}" if leaf else name


def _reference(error: float, kind: Scalar | None) -> str:
    if error > 0 and kind in _WIDE:
        return f"a run in {_WIDE[kind]} (the source itself is off by {error:.2g})"
    return "the source (nothing wider to measure its own error by)"
