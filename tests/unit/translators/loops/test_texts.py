"""What is written for loops that may run at once, and what keeps it from being written."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import CUDA, OPENMP, ArrayFact, Candidate, Contract, Dialect, Rejected, Role

HEAD = "static int calls;\nvoid fill(float *y, int n);\nvoid f(int n, const float *x, float *y)\n{\n"


def proposed(place: Path, body: str, target: Dialect, extent: str = "n") -> Candidate | Rejected:
    (place / "a.c").write_text(HEAD + body + "}\n")
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent=extent) for name in "xy")
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return translators.propose(source, unit, (contract,), target)


def text(place: Path, body: str, target: Dialect) -> str:
    found = proposed(place, body, target)
    assert isinstance(found, Candidate)
    return found.replacements[0].shown


def why_not(place: Path, body: str, target: Dialect) -> str:
    found = proposed(place, body, target)
    assert isinstance(found, Rejected)
    return found.diagnostics[0].message


def test_what_comes_before_the_loops_is_not_done_twice(tmp_path: Path) -> None:
    found = text(tmp_path, "    calls += 1;\n    for (int i = 0; i < n; i++) y[i] = x[i];\n", CUDA)
    host = found[found.index("\nvoid f(") :]
    assert host.index("f_sequential(n, x, y);") < host.index("calls += 1;") < host.index("cudaMalloc")


@pytest.mark.parametrize("target", [CUDA, OPENMP])
@pytest.mark.parametrize("change", ["n /= 2;", "x += 1;"])
def test_lengths_of_a_call_are_not_those_of_other_values(
    change: str, target: Dialect, tmp_path: Path
) -> None:
    message = why_not(tmp_path, f"    {change}\n    for (int i = 0; i < n; i++) y[i] = x[i];\n", target)
    assert "the length of" in message


def test_updates_that_meet_are_atomic(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < n; i++)\n        y[(int)x[i]] += 1;\n"
    assert "atomicAdd(&y[(int)x[i]], 1);" in text(tmp_path, body, CUDA)
    assert "        #pragma omp atomic\n        y[(int)x[i]] += 1;" in text(tmp_path, body, OPENMP)


def test_a_step_out_of_an_iteration_ends_the_thread(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < n; i++) {\n        if (x[i] < 0) continue;\n        y[i] = x[i];\n    }\n"
    assert "    if (x[i] < 0) return;\n    y[i] = x[i];\n}" in text(tmp_path, body, CUDA)


def test_neighbouring_threads_touch_neighbouring_elements(tmp_path: Path) -> None:
    body = "    for (int j = 0; j < 8; j++) for (int i = 0; i < n; i++) y[i * 8 + j] = 1;\n"
    found = text(tmp_path, body, CUDA)
    assert "const int j = blockIdx.x" in found and "for (int i = blockIdx.y" in found


@pytest.mark.parametrize("between", ["y[0] = 1;", "*y = 1;", "fill(y, n);", "if (x == y) n = 0;"])
def test_the_host_may_not_touch_arrays_between_two_loops(between: str, tmp_path: Path) -> None:
    loop = "    for (int i = 0; i < n; i++) y[i] = x[i];\n"
    assert "between two" in why_not(tmp_path, f"{loop}    {between}\n{loop}", CUDA)
