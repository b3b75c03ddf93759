"""A computation as a text of C or CUDA, in one of the forms that people write."""

from __future__ import annotations

import re
from dataclasses import dataclass

from transpile.corpus.draw import Draw
from transpile.corpus.kinds import KINDS, Shape

SUFFIXES = {"c": ".c", "cuda": ".cu"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One text of the corpus."""

    kind: str
    name: str
    text: str
    suffix: str


def made(seed: int, index: int, dialect: str) -> Made:
    """Return the text of that number: the same function for each dialect.

    Args:
        seed: Of the corpus.
        index: From 0; classes take turns.
        dialect: c or cuda.
    """
    kind = tuple(KINDS)[index % len(KINDS)]
    draw = Draw.of(seed, index)
    shape = KINDS[kind](draw)
    text = _kernel(draw, shape) if dialect == "cuda" else _function(draw, shape)
    return Made(kind=kind, name=shape.name, text=text, suffix=SUFFIXES[dialect])


def _function(draw: Draw, shape: Shape) -> str:
    """Return a function of C: a loop for each axis."""
    lines = [f"void {shape.name}({', '.join(shape.parameters)}) {{"]
    for depth, (index, extent) in enumerate(zip(_axes(shape), shape.extents, strict=True), 1):
        lines.append(f"{draw.indent * depth}for (int {index} = 0; {index} < {extent}; {index}++) {{")
    depth = len(shape.extents) + 1
    lines += [draw.indent * depth + line for line in shape.body]
    lines += [f"{draw.indent * (depth - number)}}}" for number in range(1, depth + 1)]
    return "\n".join(lines) + "\n"


def _kernel(draw: Draw, shape: Shape) -> str:
    """Return a kernel of CUDA: a guard, an early return, or a stride of the grid."""
    body = [_atomic(line, shape.order) for line in shape.body]
    lines = [f"__global__ void {shape.name}({', '.join(shape.parameters)}) {{"]
    strided = len(shape.extents) == 1 and draw.maybe(0.35)
    own = draw.indent
    if strided:
        [extent] = shape.extents
        step = "gridDim.x * blockDim.x"
        lines.append(
            f"{own}for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < {extent}; i += {step}) {{"
        )
        lines += [own * 2 + line for line in body]
        return "\n".join([*lines, f"{own}}}", "}"]) + "\n"
    for axis, index in zip("xy", reversed(_axes(shape)), strict=False):
        place = f"blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}"
        lines.append(f"{own}{draw.one(('int', 'const int'))} {index} = {place};")
    pairs = list(zip(_axes(shape), shape.extents, strict=True))
    if draw.maybe():
        outside = " || ".join(f"{index} >= {extent}" for index, extent in pairs)
        return "\n".join([*lines, f"{own}if ({outside}) return;", *(own + line for line in body), "}"]) + "\n"
    inside = " && ".join(f"{index} < {extent}" for index, extent in pairs)
    inner = [own * 2 + line for line in body]
    return "\n".join([*lines, f"{own}if ({inside}) {{", *inner, f"{own}}}", "}"]) + "\n"


def _axes(shape: Shape) -> tuple[str, ...]:
    return ("j", "i") if len(shape.extents) == 2 else ("i",)


def _atomic(line: str, order: str) -> str:
    """Return a statement that joins elements as one that threads may run at once."""
    found = re.fullmatch(r"(\w+\[.*?\]+) \+= (.*);", line) if order else None
    return f"{order}(&{found[1]}, {found[2]});" if found else line
