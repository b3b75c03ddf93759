"""Switches whose default no trial takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import ArrayFact, Contract, Covers, Range, Role, ScalarFact
from transpile.testers.oracle.closed import closed_switches
from transpile.testers.oracle.cover import Branch, counted

_HEAD = "#include <cuda_runtime.h>\nenum Kind { A, B, C };\n"
_CALLED = """__device__ float of(float x, Kind k) {
    switch (k) { case A: return 1; case B: return 2; case C: return x; }
    return 0;
}
"""
_WHOLE = "switch (k) { case A: x[0] = 1; break; case B: x[0] = 2; break; case C: x[0] = 3; }"


def closed(text: str, root: Path, low: str = "0", high: str = "2") -> int:
    (root / "a.cu").write_text(_HEAD + text)
    source = parsers.read(root)
    unit = next(item for item in source.units if item.name == "f")
    contract = Contract(
        signature=source.signatures[unit.id][0],
        arrays=(ArrayFact(name="x", role=Role.OUT, extent="1"),),
        scalars=(ScalarFact(name="k", values=Range(low=low, high=high)),),
        law=Covers(x="1"),
    )
    return sum(closed_switches(source.files, (unit, *source.closure(unit)), contract).values())


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (_WHOLE, 1),
        (_WHOLE.replace("case C: x[0] = 3;", "case C: x[0] = 3; break; default: x[0] = 9;"), 1),
        (_WHOLE.replace("case B: x[0] = 2; break; ", ""), 0),
        (_WHOLE.replace("case B: x[0] = 2; break;", "case B: break;"), 0),
        (_WHOLE.replace("case C: x[0] = 3;", "case C: default: x[0] = 9;"), 0),
        ("k = B; " + _WHOLE, 0),
        ("Kind *p = &k; *p = B; " + _WHOLE, 0),
        ("int j = k; " + _WHOLE.replace("(k)", "(j)"), 0),
    ],
)
def test_each_enumerator_has_a_case(body: str, count: int, tmp_path: Path) -> None:
    assert closed(f"__global__ void f(float *x, Kind k) {{ {body} }}", tmp_path) == count


def test_trials_that_draw_other_numbers_close_nothing(tmp_path: Path) -> None:
    assert closed(f"__global__ void f(float *x, Kind k) {{ {_WHOLE} }}", tmp_path, high="3") == 0
    assert closed(f"__global__ void f(float *x, Kind k) {{ {_WHOLE} }}", tmp_path, low="-10000") == 0


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ("x[0] = of(x[1], k);", 1),
        ("x[0] = of(x[1], B);", 0),
        ("x[0] = of(x[1], k) + of(x[0], other[0]);", 0),
    ],
)
def test_functions_are_given_what_trials_draw(call: str, count: int, tmp_path: Path) -> None:
    text = f"{_CALLED}__global__ void f(float *x, Kind k, const Kind *other) {{ {call} }}"
    assert closed(text, tmp_path) == count


def test_one_way_out_of_the_line_is_excused() -> None:
    class Part:
        path, line, text = "a.cu", 1, b"switch (k) {\n}"

    rows = [Branch("a.cu", 1, count) for count in (3, 0, 0)]
    found = counted(rows, [Part()], closed={("a.cu", 1): 1})  # type: ignore[list-item]
    assert (found.taken, found.total, found.unreachable) == (1, 2, 1)
    assert counted(rows, [Part()]).total == 3  # type: ignore[list-item]
