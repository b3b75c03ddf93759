"""Contracts written by hand, for tests that need no source."""

from __future__ import annotations

from transpile.core import (
    ArrayFact,
    Contract,
    Covers,
    ElementType,
    LaunchLaw,
    Leaf,
    Parameter,
    Range,
    Role,
    Scalar,
    ScalarFact,
    Signature,
)
from transpile.testers.trials.layout import stored


def plain(scalar: Scalar) -> ElementType:
    size = stored(scalar).itemsize
    return ElementType(spelling=scalar.value, size=size, leaves=(Leaf(offset=0, scalar=scalar),))


FLOAT = plain(Scalar.FLOAT32)
DOUBLE = plain(Scalar.FLOAT64)
INT = plain(Scalar.INT32)
PAIR = ElementType(
    spelling="Pair",
    size=16,
    leaves=(
        Leaf(offset=0, scalar=Scalar.INT32, name="key"),
        Leaf(offset=8, scalar=Scalar.FLOAT64, name="value"),
    ),
)
"""An int, four bytes of padding, a double."""


def pointer(name: str, element: ElementType = FLOAT, *, const: bool = False) -> Parameter:
    return Parameter(name=name, spelling=f"{element.spelling} *", element=element, pointer=True, const=const)


def value(name: str, element: ElementType = INT) -> Parameter:
    return Parameter(name=name, spelling=element.spelling, element=element, pointer=False)


def reads(name: str, extent: str = "n", **more: object) -> ArrayFact:
    return ArrayFact(name=name, role=Role.IN, extent=extent, **more)  # type: ignore[arg-type]


def writes(name: str, extent: str = "n", **more: object) -> ArrayFact:
    return ArrayFact(name=name, role=Role.OUT, extent=extent, **more)  # type: ignore[arg-type]


def changes(name: str, extent: str = "n", **more: object) -> ArrayFact:
    return ArrayFact(name=name, role=Role.INOUT, extent=extent, **more)  # type: ignore[arg-type]


def size(name: str, low: str = "0", high: str = "100000", **more: str) -> ScalarFact:
    return ScalarFact(name=name, values=Range(low=low, high=high), size=True, **more)


def contract(
    parameters: tuple[Parameter, ...],
    arrays: tuple[ArrayFact, ...],
    scalars: tuple[ScalarFact, ...] = (),
    law: LaunchLaw | None = None,
    name: str = "k",
    **more: object,
) -> Contract:
    """Return a contract; the launch covers ``n`` unless told otherwise."""
    known = Signature(name=name, parameters=parameters)
    return Contract(
        signature=known,
        arrays=arrays,
        scalars=scalars,
        law=law or Covers(x="n"),
        **more,  # type: ignore[arg-type]
    )


MAP = contract((pointer("x", const=True), pointer("y"), value("n")), (reads("x"), writes("y")), (size("n"),))
"""``y[i] = f(x[i])`` for i below n."""
