"""Kernels of ``kernels.cu`` with contracts written by hand, so that a wrong contract is no excuse."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.adversarial.candidates import Text
from transpile import parsers
from transpile.core import (
    ArrayFact,
    Binding,
    Candidate,
    Contract,
    Covers,
    LaunchLaw,
    Range,
    Replacement,
    Role,
    ScalarFact,
    ShapeDependent,
    Source,
    Unit,
)
from transpile.testers import Judged, judge
from transpile.testers.proposal import Proposal
from transpile.toolchains.workshop import Workshop

HERE = Path(__file__).parent


@cache
def source() -> Source:
    return parsers.read(HERE / "kernels.cu")


def unit(name: str) -> Unit:
    return next(item for item in source().units if item.name == name)


def judged(workshop: Workshop, texts: list[Text]) -> dict[str, Judged]:
    """Judge all texts at once, as a port does: candidates of different kernels share a library."""
    proposals = [proposal(item.kernel, item.text, headers=item.headers) for item in texts]
    found = judge(workshop, source(), proposals, seed=3)
    return {text.id: item for text, item in zip(texts, found, strict=True)}


def proposal(name: str, text: str, *arguments: str, headers: tuple[str, ...] = ()) -> Proposal:
    """Return a candidate for a kernel that is called with these arguments (its own parameters by default)."""
    contracts = contracts_of(name)
    given = arguments or tuple(item.name for item in contracts[0].signature.parameters)
    templated = contracts[0].signature.template_arguments
    return Proposal(
        unit=unit(name),
        contracts=contracts,
        candidate=Candidate(
            unit=unit(name).id,
            replacements=(Replacement(unit=unit(name).id, text=text.encode()),),
            binding=Binding(name=name, arguments=given, template_arguments=templated),
            headers=headers,
        ),
    )


def contracts_of(name: str) -> tuple[Contract, ...]:
    arrays, scalars, law = FACTS[name]
    return tuple(
        Contract(
            signature=signature,
            arrays=arrays,
            scalars=scalars,
            law=law,
            used_axes="xy" if isinstance(law, Covers) and law.y != "1" else "x",
        )
        for signature in source().signatures[unit(name).id]
    )


def _array(role: Role, name: str, extent: str, **more: object) -> ArrayFact:
    return ArrayFact(name=name, role=role, extent=extent, **more)  # type: ignore[arg-type]


def _index(name: str, extent: str, **more: object) -> ArrayFact:
    return _array(Role.IN, name, extent, values=Range(low="0", high="m - 1"), **more)


def _size(name: str, low: str = "0") -> ScalarFact:
    return ScalarFact(name=name, values=Range(low=low, high="100000"), size=True)


def _number(name: str, low: int, high: int) -> ScalarFact:
    return ScalarFact(name=name, values=Range(low=str(low), high=str(high)))


N = (_size("n"),)
NM = (_size("n"), _size("m"))
MAP = (_array(Role.IN, "x", "n"), _array(Role.OUT, "y", "n"))
TILES = ("(n + 63) / 64", "1", "1", "64", "1", "1", "0")
ROWS = (_array(Role.IN, "a", "n * m"), _array(Role.OUT, "out", "n"))

FACTS: dict[str, tuple[tuple[ArrayFact, ...], tuple[ScalarFact, ...], LaunchLaw]] = {
    "axpy": (MAP, N, Covers(x="n")),
    "total": ((_array(Role.IN, "x", "n"), _array(Role.INOUT, "sum", "1")), N, Covers(x="n")),
    "transpose": (
        (_array(Role.IN, "in", "rows * columns"), _array(Role.OUT, "out", "rows * columns")),
        (_size("rows"), _size("columns")),
        Covers(x="columns", y="rows"),
    ),
    "row_sums": (ROWS, NM, Covers(x="n")),
    "row_sums_double": (ROWS, NM, Covers(x="n")),
    "row_sums_mixed": (ROWS, NM, Covers(x="n")),
    "row_sums_half": (ROWS, NM, Covers(x="n")),
    "scale_double": (MAP, N, Covers(x="n")),
    "products": ((*MAP, _array(Role.IN, "z", "n")), N, Covers(x="n")),
    "divide": (MAP, (*N, _number("k", 1, 9)), Covers(x="n")),
    "square": (MAP, N, Covers(x="n")),
    "threshold": (MAP, (*N, _number("limit", -9, 9)), Covers(x="n")),
    "upper_bits": (MAP, N, Covers(x="n")),
    "roots": (MAP, N, Covers(x="n")),
    "histogram": (
        (
            _array(Role.IN, "x", "n", values=Range(low="0", high="m - 1")),
            _array(Role.INOUT, "bins", "m"),
        ),
        (_size("n"), _size("m", "1")),
        Covers(x="n"),
    ),
    "smooth": ((_array(Role.IN, "a", "n"), _array(Role.OUT, "b", "n")), N, Covers(x="n")),
    "staged": (MAP, N, ShapeDependent(relations=("blockDim.x == 64",), launches=(TILES,))),
    "variance": (ROWS, (_size("n"), _size("m", "1")), Covers(x="n")),
    "gather": (
        (_array(Role.IN, "x", "m"), _index("index", "n"), _array(Role.OUT, "y", "n")),
        (_size("n"), _size("m", "1")),
        Covers(x="n"),
    ),
    "scatter": (
        (_array(Role.IN, "x", "n"), _index("index", "n", distinct=True), _array(Role.OUT, "y", "m")),
        (_size("n"), ScalarFact(name="m", values=Range(low="n", high="100000"), size=True)),
        Covers(x="n"),
    ),
    "first_above": (
        (_array(Role.IN, "a", "n * m"), _array(Role.OUT, "out", "n")),
        (*NM, _number("limit", -9, 9)),
        Covers(x="n"),
    ),
    "spmv": (
        (
            _array(Role.IN, "row", "n + 1", values=Range(low="0", high="4 * n"), ascending=True),
            _index("column", "4 * n"),
            _array(Role.IN, "value", "4 * n"),
            _array(Role.IN, "x", "m"),
            _array(Role.OUT, "y", "n"),
        ),
        (_size("n"), _size("m", "1")),
        Covers(x="n"),
    ),
    "search": (
        (_array(Role.IN, "a", "n"), _array(Role.IN, "keys", "m"), _array(Role.OUT, "where", "m")),
        NM,
        Covers(x="m"),
    ),
    "segments": (
        (
            _array(Role.IN, "row", "n + 1", values=Range(low="0", high="3 * n")),
            _array(Role.IN, "value", "3 * n"),
            _array(Role.OUT, "y", "n"),
        ),
        N,
        Covers(x="n"),
    ),
    "largest": ((_array(Role.IN, "x", "n"), _array(Role.INOUT, "best", "1")), N, Covers(x="n")),
    "position": (
        (_array(Role.IN, "x", "n"), _array(Role.INOUT, "where", "1")),
        (*N, _number("key", -9, 9)),
        Covers(x="n"),
    ),
    "pitched": (
        (_array(Role.IN, "x", "(n - 1) * pitch + 1"), _array(Role.OUT, "y", "(n - 1) * pitch + 1")),
        (_size("n", "1"), _size("pitch", "1")),
        Covers(x="n"),
    ),
    "blend": (MAP, N, Covers(x="n")),
    "weigh": (MAP, N, Covers(x="n")),
    "strided": (MAP, N, Covers(x="n")),
    "racy": ((_array(Role.IN, "x", "n"), _array(Role.INOUT, "sum", "1")), N, Covers(x="n")),
    "beyond": (MAP, N, Covers(x="n")),
    "ordered": (
        (
            _array(Role.IN, "x", "n"),
            _array(Role.OUT, "y", "n"),
            _array(Role.INOUT, "count", "1", values=Range(low="0", high="0")),
        ),
        N,
        Covers(x="n"),
    ),
    "unwritten": (MAP, N, Covers(x="n")),
    "unset": (MAP, N, Covers(x="n")),
    "idle": (MAP, N, Covers(x="1")),
    "hidden": (MAP, (*N, _number("key", 0, 9)), Covers(x="n")),
}
