"""Dimensions that array expressions run along, and subscripts along them."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.parsers.fortran import tree


@dataclass(frozen=True, slots=True)
class Index:
    """The index of a loop, and its value at the first element."""

    name: str
    start: str


@dataclass(frozen=True, slots=True)
class Axis:
    """A dimension that an array expression runs along."""

    start: str
    last: str
    step: str = "1"
    vector: tree.Expression | None = None

    @property
    def extent(self) -> str:
        """Return the number of its elements, which may come out negative where there are none."""
        if self.step != "1":
            step = self.step if is_number(self.step) else _grouped(self.step)
            return f"({minus(self.last, self.start)} + {self.step}) / {step}"
        if self.start == "1":
            return self.last
        if is_number(self.start) and is_number(self.last):
            return str(int(self.last) - int(self.start) + 1)
        if self.start.endswith("lower(1)") and self.last == self.start.replace("lower", "upper"):
            return self.start.replace("lower", "extent")
        return f"{minus(self.last, self.start)} + 1"


def subscript(axis: Axis, index: Index) -> str:
    """Return the subscript along an axis at the index of a loop."""
    if axis.step != "1":
        return f"{axis.start} + ({minus(index.name, index.start)}) * {_grouped(axis.step)}"
    if axis.start == index.start:
        return index.name
    if is_number(axis.start) and is_number(index.start):
        difference = int(axis.start) - int(index.start)
        return f"{index.name} {'+' if difference > 0 else '-'} {abs(difference)}"
    if is_number(index.start):
        shift = -int(index.start)
        tail = "" if not shift else f" {'+' if shift > 0 else '-'} {abs(shift)}"
        return f"{axis.start} + {index.name}{tail}"
    return (
        f"{axis.start} + {minus(index.name, index.start)}"
        if axis.start != "0"
        else minus(index.name, index.start)
    )


def minus(left: str, right: str) -> str:
    """Return a difference of two pieces of C++ text."""
    if is_number(left) and is_number(right):
        return str(int(left) - int(right))
    return f"{left} - {_grouped(right)}"


def _grouped(text: str) -> str:
    return text if text.replace("_", "").isalnum() else f"({text})"


def is_number(text: str) -> bool:
    """Tell whether C++ text is a whole number."""
    return text.removeprefix("-").isdigit()
