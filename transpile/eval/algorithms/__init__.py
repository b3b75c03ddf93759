"""Six algorithms of numerical codes in C, C++ and CUDA, with tests of their own: written here, for this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from transpile.core import CUDA, OPENMP, Dialect
from transpile.eval import programs
from transpile.eval.items import Item, Suite, Written
from transpile.toolchains.workshop import Workshop

NAMES = ("axpy", "gemv", "gemm", "spmv", "jacobi", "cg")
SUFFIXES = {"c": ".c", "cpp": ".cpp", "cuda": ".cu"}
"""By dialect of the source. A function of C is one of C++ as well."""
_HERE = Path(__file__).parent


def suite(dialect: str) -> Suite:
    """Return the algorithms in a dialect: c, cpp or cuda."""
    return Suite(
        name=f"algorithms-{dialect}",
        items=tuple(_items(SUFFIXES[dialect])),
        target=OPENMP if dialect == "cuda" else CUDA,
        note="Textbook algorithms: every model has seen the like.",
    )


def _items(suffix: str) -> Iterator[Item]:
    for name in NAMES:
        text = _text(f"{name}{'.cu' if suffix == '.cu' else '.c'}")
        yield Item(id=f"{name}{suffix}", text=text, suffix=suffix, unit=name, test=_Test(name=name))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    """Calls at several sizes, against a plain computation."""

    name: str

    def __call__(self, workshop: Workshop, written: Written) -> bool | None:
        if written.takes_launch:
            return None
        dialect: Dialect = written.candidate.dialect
        body = _text(f"{self.name}.test.inc").replace("CALL(", f"{written.candidate.binding.name}(")
        program = f"{_text('driver.h')}\n{written.text}\nint main() {{\n    bool good = true;\n{body}"
        program += '    std::puts(good ? "right" : "wrong");\n}\n'
        return programs.run(workshop, program, dialect).text.strip() == "right"


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
