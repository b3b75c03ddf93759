"""WRITTEN TEST: an input that a tester chose, before anyone knows whether it is of any use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTest:
    """What a test says of its input: a contract and a seed give the rest, and the source what is right."""

    scalars: tuple[tuple[str, int | float], ...] = ()
    arrays: tuple[tuple[str, tuple[int | float, ...]], ...] = ()
    """Elements, from the first again where the call needs more."""
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
