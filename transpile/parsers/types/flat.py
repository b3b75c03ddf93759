"""A parameter of the source as flat ones: pointers and numbers, and the text that makes it of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from transpile.core import ElementType, Leaf, Parameter, Rows, Scalar
from transpile.parsers.types.layouts import unqualified

_SIZE = ElementType(spelling="unsigned long", size=8, leaves=(Leaf(offset=0, scalar=Scalar.UINT64),))
_SPELLED = {
    Scalar.BOOL: "transpile_bool",
    Scalar.INT8: "signed char",
    Scalar.UINT8: "unsigned char",
    Scalar.INT16: "short",
    Scalar.UINT16: "unsigned short",
    Scalar.INT32: "int",
    Scalar.UINT32: "unsigned int",
    Scalar.INT64: "long long",
    Scalar.UINT64: "unsigned long long",
}
_WIDTHS = {
    scalar: 1 if scalar is Scalar.BOOL else int(re.sub(r"\D", "", scalar.value)) // 8 for scalar in _SPELLED
}
_COUNT = ElementType(spelling="unsigned int", size=4, leaves=(Leaf(offset=0, scalar=Scalar.UINT32),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """One parameter of the source, taken apart; texts are those of ``Assembly``."""

    parameters: tuple[Parameter, ...]
    argument: str
    taken: tuple[str, ...] = ()
    """None where they cannot be read from the source's parameter."""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    sizes: tuple[tuple[str, str], ...] = ()
    strides: tuple[tuple[str, str], ...] = ()
    terminated: tuple[str, ...] = ()
    rows: tuple[Rows, ...] = ()


def sized(name: str) -> Parameter:
    """Return a number that a container has as its size."""
    return Parameter(name=name, spelling=_SIZE.spelling, element=_SIZE, pointer=False)


def counted(name: str) -> Parameter:
    """Return a number of elements that only an entry knows of."""
    return Parameter(name=name, spelling=_COUNT.spelling, element=_COUNT, pointer=False)


def member(name: str, leaf: Leaf, *, outside: bool = False) -> Parameter:
    """Return a whole number of an object as a parameter of its own.

    Args:
        name: Of the object.
        leaf: The number in it.
        outside: The object is a variable at file scope.
    """
    kind = ElementType(
        spelling=_SPELLED[leaf.scalar],
        size=_WIDTHS[leaf.scalar],
        leaves=(Leaf(offset=0, scalar=leaf.scalar),),
    )
    return Parameter(
        name=f"{name}.{leaf.name or 'value'}",
        spelling=kind.spelling,
        element=kind,
        pointer=False,
        outside=outside,
    )


def local(parameter: Parameter) -> str:
    """Return the name that a flat parameter has in an entry."""
    return parameter.identifier


def target(kind: Any) -> str:
    """Return how an entry spells what a pointer leads to."""
    return ("const " if kind.is_const_qualified() else "") + unqualified(kind)
