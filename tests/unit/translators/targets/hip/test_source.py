"""A source as it stands in HIP: every unit is found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.code.edits import Edit, moved
from transpile.core import HIP, Candidate, Rejected, Source, Span
from transpile.errors import UsageError
from transpile.translators.targets.hip.propose import propose
from transpile.translators.targets.hip.source import in_hip

TEXT = """#include <cuda_runtime.h>
#define MASK 0xffffffff
__device__ float sum(float x) { return x + __shfl_down_sync(MASK, x, 1); }
__global__ void first(float *x) { x[0] = sum(x[1]); }
__global__ void second(int *x) { x[0] = 1; }
__global__ void third(unsigned *x) { asm("mov.u32 %0, %%pm0;" : "=r"(*x)); }
__global__ void fourth(unsigned *x) { *x = __vnegss4(*x); }
int main() { first<<<1, 32>>>(nullptr); cudaDeviceSynchronize(); }
"""


def source(tmp_path: Path) -> Source:
    (tmp_path / "a.cu").write_text(TEXT)
    return parsers.read(tmp_path)


def test_units_stand_where_they_are_said_to(tmp_path: Path) -> None:
    port = in_hip(source(tmp_path))
    assert port.dialect == HIP
    assert b"hipDeviceSynchronize" in port.files["a.cu"]
    for unit in port.units:
        assert unit.span.of(port.files["a.cu"]) == unit.text
        assert unit.text.startswith(b"__") or unit.name == "main"
        assert unit.text.endswith(b"}")
    [site] = port.launches
    assert site.span.of(port.files["a.cu"]).startswith(b"first<<<1, 32>>>")


def test_what_is_put_in_at_the_start_lies_outside() -> None:
    edits = [Edit(0, 0, b"xx"), Edit(3, 4, b"yyy"), Edit(9, 9, b"z")]
    assert moved(Span(start=0, end=9), edits) == Span(start=2, end=13)
    assert moved(Span(start=5, end=6), edits) == Span(start=9, end=10)


def test_a_candidate_holds_what_changed(tmp_path: Path) -> None:
    found = source(tmp_path)
    by_name = {unit.name: unit for unit in found.units}
    first = propose(found, by_name["first"], ())
    second = propose(found, by_name["second"], ())
    assert isinstance(first, Candidate) and isinstance(second, Candidate)
    assert [item.unit for item in first.replacements] == [by_name["first"].id, by_name["sum"].id]
    assert first.replacements[1].text.endswith(b"__shfl_down(x, 1, 32); }")
    assert [item.text for item in second.replacements] == [by_name["second"].text]


def test_what_hip_has_nothing_for_is_named_with_its_line(tmp_path: Path) -> None:
    found = source(tmp_path)
    by_name = {unit.name: unit for unit in found.units}
    for name, line, said in (("third", 6, "inline PTX"), ("fourth", 7, "__vnegss4")):
        refused = propose(found, by_name[name], ())
        assert isinstance(refused, Rejected)
        [diagnostic] = refused.diagnostics
        assert (diagnostic.code, diagnostic.line) == ("TP212", line)
        assert said in diagnostic.message


def test_rows_of_the_source_go_before_ours(tmp_path: Path) -> None:
    rows = ("__vnegss4,hipNegate4", "cudaDeviceSynchronize,own::wait", "cuda_runtime.h,own/runtime.h")
    (tmp_path / "transpile-hip.csv").write_text("\n".join(("# What ROCm 9 has.", "cuda,hip", *rows)))
    found = source(tmp_path)
    text = in_hip(found).files["a.cu"].decode()
    assert "#include <own/runtime.h>" in text and "own::wait();" in text and "hipNegate4(*x)" in text
    by_name = {unit.name: unit for unit in found.units}
    assert isinstance(propose(found, by_name["fourth"], ()), Candidate)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("a,b\n", "no table of names"),
        ("cuda,hip\ncudaMalloc\n", "transpile-hip.csv:2: a row"),
        ("cuda,hip\n\n,x\n", ":3:"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path: Path, table: str, said: str) -> None:
    (tmp_path / "transpile-hip.csv").write_text(table)
    with pytest.raises(UsageError, match=said):
        in_hip(source(tmp_path))
