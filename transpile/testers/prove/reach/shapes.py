"""Facts that hold of every launch of a kernel: sizes of its grid and blocks, and its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

_Value = TypeVar("_Value")


DIMENSIONS = ("dim3", "Dim3", "uint3")
"""Types of grids and blocks."""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """An expression of a kernel's parameters that a number of 32 bits is, modulo 2^32."""

    text: str


Shape = Mapping[str, int | str | Wrapped]
"""Numbers of blocks and threads, such as ``gridDim.x``: constants, or expressions of parameters."""


@dataclass(frozen=True, slots=True)
class Launched:
    """Facts that hold of every launch of a kernel."""

    shape: Shape = field(default_factory=dict)
    passed: Mapping[str, str] = field(default_factory=dict)
    """By parameter, the key of the caller's variable that it is given, where nothing writes to that."""

    def common(self, other: Launched) -> Launched:
        """Return the facts that hold of these launches and of others."""
        return Launched(_common(self.shape, other.shape), _common(self.passed, other.passed))


def _common(one: Mapping[str, _Value], other: Mapping[str, _Value]) -> dict[str, _Value]:
    return {key: value for key, value in one.items() if other.get(key) == value}
