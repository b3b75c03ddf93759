"""The reference in wider arithmetic is there whatever headers of the standard library a source names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial import needs
from transpile import parsers
from transpile.testers.run.bench import Entry, SourceBench
from transpile.toolchains.build import Flavour
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

OF_C = "ctype errno float inttypes limits math stdbool stddef stdint stdio stdlib string time wchar"
OF_SYSTEM = "pthread sys/resource sys/time sys/types unistd"
OF_CPP = "algorithm cmath complex cstddef cstdint ctime iostream limits numeric random utility vector"
SUM = """
double sum(int n, const double *x) {
    double total = 0;
    for (int i = 0; i < n; i++) total += x[i];
    return total;
}
"""


@pytest.mark.parametrize(
    ("file", "headers"),
    [
        ("sum.c", [f"{name}.h" for name in (OF_C + " " + OF_SYSTEM).split()]),
        ("sum.cpp", [*OF_CPP.split(), *(f"{name}.h" for name in OF_C.split())]),
    ],
)
def test_doubles_have_a_wider_reference(
    workshop: Workshop, tmp_path: Path, file: str, headers: list[str]
) -> None:
    (tmp_path / file).write_text("".join(f"#include <{name}>\n" for name in headers) + SUM)
    source = parsers.read(tmp_path)
    [unit] = source.units
    signatures = source.signatures[unit.id]
    bench = SourceBench(workshop, source, source.translation_units[0], [signatures])
    assert isinstance(bench.entry(signatures[0], Flavour.WIDE), Entry)
