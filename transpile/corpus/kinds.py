"""Classes of computations: each draws parameters and the work on one element, whatever it is written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from transpile.corpus.draw import Draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One computation: its parameters, how many elements there are, and the statements for one of them."""

    name: str
    parameters: tuple[str, ...]
    extents: tuple[str, ...]
    """Numbers of elements, one for each axis, the slowest first."""
    body: tuple[str, ...]
    """Statements that name the index of the fastest axis ``i``, and of the other ``j``."""
    order: str = ""
    """Atomic function by which elements are joined; empty where each has places of its own."""


def elementwise(draw: Draw) -> Shape:
    """Return a graph of operators over one to three arrays."""
    inputs = [draw.array() for _ in range(draw.random.randint(1, 3))]
    out, n = draw.output(), draw.size()
    scalars = [draw.scalar() for _ in range(draw.random.randint(0, 2))]
    value = draw.expression([*(f"{name}[i]" for name in inputs), *scalars], draw.random.randint(1, 4))
    return Shape(
        name=draw.function(draw.one(("map", "activation", "blend", "axpy", "fused"))),
        parameters=_parameters(draw, n, inputs, out, scalars),
        extents=(n,),
        body=(f"{out}[i] {draw.one(('=', '=', '+='))} {value};",),
    )


def stencil(draw: Draw) -> Shape:
    """Return a weighted sum of neighbours, inside the borders."""
    source, out, n = draw.array(), draw.output(), draw.size()
    reach = draw.random.randint(1, 3)
    offsets = [0, *draw.random.sample([-reach, -1, 1, reach], draw.random.randint(2, 3))]
    terms = [f"{draw.constant()} * {source}[{_at('i', offset)}]" for offset in dict.fromkeys(offsets)]
    return Shape(
        name=draw.function(draw.one(("stencil", "smooth", "diffuse", "filter"))),
        parameters=_parameters(draw, n, [source], out, []),
        extents=(n,),
        body=(f"if (i >= {reach} && i < {n} - {reach}) {out}[i] = {' + '.join(terms)};",),
    )


def plane(draw: Draw) -> Shape:
    """Return a stencil on a plane, by rows."""
    source, out = draw.array(), draw.output()
    rows, columns = draw.one((("rows", "cols"), ("h", "w0"), ("ny", "nx"), ("height", "width")))
    at = f"j * {columns} + i"
    around = [f"{source}[{at} - 1]", f"{source}[{at} + 1]"]
    around += [f"{source}[{at} - {columns}]", f"{source}[{at} + {columns}]"]
    value = draw.expression([" + ".join(around).join("()"), f"{source}[{at}]"], draw.random.randint(1, 2))
    inside = f"i > 0 && i < {columns} - 1 && j > 0 && j < {rows} - 1"
    return Shape(
        name=draw.function(draw.one(("jacobi2d", "laplace", "heat", "blur"))),
        parameters=(
            f"int {rows}",
            f"int {columns}",
            f"const {draw.type} *{source}",
            f"{draw.type} *{out}",
        ),
        extents=(rows, columns),
        body=(f"if ({inside}) {out}[{at}] = {value};",),
    )


def gather(draw: Draw) -> Shape:
    """Return elements fetched through an index."""
    source, out, n = draw.array(), draw.output(), draw.size()
    index = draw.one(("index", "map", "perm", "ids"))
    value = draw.expression([f"{source}[{index}[i]]"], draw.random.randint(0, 2))
    return Shape(
        name=draw.function(draw.one(("gather", "lookup", "select"))),
        parameters=_parameters(draw, n, [source], out, [], f"const int *{index}"),
        extents=(n,),
        body=(f"{out}[i] = {value};",),
    )


def reshape(draw: Draw) -> Shape:
    """Return a tensor in another layout: transposed, reversed, or interleaved."""
    source, out = draw.array(), draw.output()
    rows, columns = draw.one((("rows", "cols"), ("m", "p"), ("h", "w0")))
    to = draw.one(
        (f"i * {rows} + j", f"j * {columns} + ({columns} - 1 - i)", f"({rows} - 1 - j) * {columns} + i")
    )
    value = draw.expression([f"{source}[j * {columns} + i]"], draw.random.randint(0, 2))
    return Shape(
        name=draw.function(draw.one(("transpose", "flip", "permute", "relayout"))),
        parameters=(
            f"int {rows}",
            f"int {columns}",
            f"const {draw.type} *{source}",
            f"{draw.type} *{out}",
        ),
        extents=(rows, columns),
        body=(f"{out}[{to}] = {value};",),
    )


def matmul(draw: Draw) -> Shape:
    """Return sums of products of rows and columns."""
    a, b, out = draw.array(), draw.array(), draw.output()
    m, n, k = draw.one((("m", "n", "k"), ("rows", "cols", "inner"), ("M", "N", "K")))
    left = draw.one((f"{a}[j * {k} + p]", f"{a}[p * {m} + j]"))
    right = draw.one((f"{b}[p * {n} + i]", f"{b}[i * {k} + p]"))
    zero = {"float": "0.0f", "double": "0.0", "unsigned": "0u"}[draw.type]
    end = draw.expression(["sum"], draw.random.randint(0, 1))
    return Shape(
        name=draw.function(draw.one(("matmul", "gemm", "product", "linear"))),
        parameters=(
            *(f"int {name}" for name in (m, n, k)),
            f"const {draw.type} *{a}",
            f"const {draw.type} *{b}",
            f"{draw.type} *{out}",
        ),
        extents=(m, n),
        body=(
            f"{draw.type} sum = {zero};",
            f"for (int p = 0; p < {k}; p++) sum += {left} * {right};",
            f"{out}[j * {n} + i] = {end};",
        ),
    )


def sparse(draw: Draw) -> Shape:
    """Return the product of a sparse matrix, row by row, and a vector."""
    value, x, out, n = draw.array(), draw.array(), draw.output(), draw.size()
    start, column = draw.one((("ptr", "col"), ("row_start", "column"), ("offsets", "indices")))
    zero = {"float": "0.0f", "double": "0.0", "unsigned": "0u"}[draw.type]
    return Shape(
        name=draw.function(draw.one(("spmv", "csr", "sparse"))),
        parameters=(
            f"int {n}",
            f"const int *{start}",
            f"const int *{column}",
            f"const {draw.type} *{value}",
            f"const {draw.type} *{x}",
            f"{draw.type} *{out}",
        ),
        extents=(n,),
        body=(
            f"{draw.type} sum = {zero};",
            f"for (int p = {start}[i]; p < {start}[i + 1]; p++) sum += {value}[p] * {x}[{column}[p]];",
            f"{out}[i] = {draw.expression(['sum'], draw.random.randint(0, 1))};",
        ),
    )


def histogram(draw: Draw) -> Shape:
    """Return counts of keys."""
    keys, out, n = draw.one(("keys", "bins_of", "labels", "codes")), draw.output(), draw.size()
    add = draw.one(("1", "1", "2"))
    return Shape(
        name=draw.function(draw.one(("histogram", "count", "tally"))),
        parameters=(f"int {n}", f"const int *{keys}", f"int *{out}"),
        extents=(n,),
        body=(f"{out}[{keys}[i]] += {add};",),
        order="atomicAdd",
    )


def reduction(draw: Draw) -> Shape:
    """Return a sum over all elements of whole numbers, which are joined in any order."""
    draw.type = "unsigned"
    source, out, n = draw.array(), draw.output(), draw.size()
    value = draw.expression([f"{source}[i]"], draw.random.randint(0, 3))
    return Shape(
        name=draw.function(draw.one(("reduce", "sum", "accumulate", "checksum"))),
        parameters=_parameters(draw, n, [source], out, []),
        extents=(n,),
        body=(f"{out}[0] += {value};",),
        order="atomicAdd",
    )


def sort_step(draw: Draw) -> Shape:
    """Return one step of a sorting network: neighbours change places where they are in the wrong order."""
    data, n, phase = draw.output(), draw.size(), draw.one(("phase", "odd", "parity"))
    order = draw.one((">", "<"))
    first, second = f"{data}[2 * i + {phase}]", f"{data}[2 * i + {phase} + 1]"
    return Shape(
        name=draw.function(draw.one(("odd_even", "sort_step", "exchange"))),
        parameters=(f"int {n}", f"int {phase}", f"{draw.type} *{data}"),
        extents=(n,),
        body=(
            f"if ({phase} >= 0 && {phase} < 2 && 2 * i + {phase} + 1 < {n} && {first} {order} {second}) {{",
            f"    const {draw.type} kept = {first};",
            f"    {first} = {second};",
            f"    {second} = kept;",
            "}",
        ),
    )


KINDS: Mapping[str, Callable[[Draw], Shape]] = {
    "elementwise": elementwise,
    "stencil": stencil,
    "plane": plane,
    "gather": gather,
    "reshape": reshape,
    "matmul": matmul,
    "sparse": sparse,
    "histogram": histogram,
    "reduction": reduction,
    "sort_step": sort_step,
}


def _parameters(
    draw: Draw, n: str, inputs: list[str], out: str, scalars: list[str], *more: str
) -> tuple[str, ...]:
    """Return parameters in one of the orders that people write."""
    arrays = [*(f"const {draw.type} *{name}" for name in inputs), *more, f"{draw.type} *{out}"]
    numbers = [f"{draw.type} {name}" for name in scalars]
    return tuple(draw.one(([f"int {n}", *numbers, *arrays], [*arrays, *numbers, f"int {n}"])))


def _at(index: str, offset: int) -> str:
    return index if not offset else f"{index} {'+' if offset > 0 else '-'} {abs(offset)}"
