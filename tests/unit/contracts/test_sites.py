"""Launch sites: what the host writes becomes expressions of the kernel's scalars, or stays unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.contracts.sites import Site, sites_of
from transpile.core import (
    CUDA,
    ElementType,
    LaunchSite,
    Leaf,
    Parameter,
    Scalar,
    Signature,
    Source,
    Span,
    Unit,
    UnitKind,
)
from transpile.expressions import evaluate

INT = ElementType(spelling="int", size=4, leaves=(Leaf(offset=0, scalar=Scalar.INT32),))
UNIT = Unit(
    id="a.cu::k", kind=UnitKind.KERNEL, path="a.cu", name="k", span=Span(start=0, end=0), line=1, text=b""
)


def site(host: str, grid: str, block: str, shared: str = "0", arguments: str = "d_x, width, h") -> Site:
    text = f"void host() {{\n{host}\n".encode()
    launch = LaunchSite(
        path="a.cu",
        span=Span(start=len(text), end=len(text)),
        line=2,
        kernel="k",
        configuration=(grid, block, shared),
        arguments=tuple(part.strip() for part in arguments.split(",")),
        unit=UNIT.id,
    )
    parameters = [
        Parameter(name="x", spelling="int *", element=INT, pointer=True),
        Parameter(name="n", spelling="int", element=INT, pointer=False),
        Parameter(name="m", spelling="int", element=INT, pointer=False),
    ]
    signature = Signature(name="k", parameters=tuple(parameters))
    source = Source(
        root=Path("."),
        files={"a.cu": text + b"k<<<>>>();}\n", "b.h": b"#define BLOCK 64 // threads\nconst int ROWS = 8;\n"},
        dialect=CUDA,
        translation_units=(),
        units=(UNIT,),
        signatures={UNIT.id: (signature,)},
        launches=(launch,),
    )
    (found,) = sites_of(source, UNIT, signature)
    return found


@pytest.mark.parametrize(
    ("host", "grid", "block", "values"),
    [
        ("", "(width + 255) / 256", "256", (4, 1, 1, 256, 1, 1)),
        ("int blocks = (width + BLOCK - 1) / BLOCK;", "blocks", "BLOCK", (16, 1, 1, 64, 1, 1)),
        (
            "dim3 grid((width+15)/16, (h+ROWS-1)/ROWS), block(16, ROWS);",
            "grid",
            "block",
            (63, 3, 1, 16, 8, 1),
        ),
        ("dim3 g = dim3(h, 2, 3);", "g", "dim3(32, 2)", (20, 2, 3, 32, 2, 1)),
        ("unsigned int b = 128u; int g = (int)ceil((float)width / b);", "g", "b", (8, 1, 1, 128, 1, 1)),
        ("int g = 1; g = std::min(width, 7);", "g", "32", (7, 1, 1, 32, 1, 1)),
        ("dim3 g {(unsigned)h};", "g", "1", (20, 1, 1, 1, 1, 1)),
    ],
)
def test_reads(host: str, grid: str, block: str, values: tuple[int, ...]) -> None:
    found = site(host, grid, block)
    assert found.family is not None
    assert tuple(evaluate(part, {"n": 1000, "m": 20}) for part in found.family[:6]) == values


@pytest.mark.parametrize("grid", ["blocks", "f(width)", "width ? 1 : 2", "props.count", "1 << 4", "x[0]"])
def test_does_not_guess(grid: str) -> None:
    found = site("", grid, "256")
    assert found.grid[0] is None and found.family is None
    assert found.fixed_block == (256, 1, 1)


def test_a_later_definition_counts() -> None:
    assert site("int b = 32; b = 64;", "1", "b").fixed_block == (64, 1, 1)


def test_shared_bytes() -> None:
    assert site("", "1", "64", "2 * h * sizeof(float)").shared == "2 * m * 4"


def test_a_definition_of_itself_ends() -> None:
    assert site("int b = b + 1;", "b", "1").grid[0] is None
