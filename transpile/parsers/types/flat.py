"""A parameter of the source as flat ones: pointers and numbers, and the text that makes it of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transpile.core import ElementType, Leaf, Parameter, Rows, Scalar
from transpile.parsers.types.layouts import unqualified

_SIZE = ElementType(spelling="unsigned long", size=8, leaves=(Leaf(offset=0, scalar=Scalar.UINT64),))
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


def local(parameter: Parameter) -> str:
    """Return the name that a flat parameter has in an entry."""
    return parameter.identifier


def target(kind: Any) -> str:
    """Return how an entry spells what a pointer leads to."""
    return ("const " if kind.is_const_qualified() else "") + unqualified(kind)
