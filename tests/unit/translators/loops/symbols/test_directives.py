"""Directives that a source has of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import proposed, text, why_not
from transpile.core import CUDA, OPENMP, OPENMP_TARGET, STDPAR, Dialect, Rejected

LOOP = "    for (int i = 0; i < n; i++) y[i] = 1;\n"
MARKED = f"    #pragma omp parallel for \\\n        schedule(static)\n{LOOP}"
REGION = f"    #pragma omp parallel\n    {{\n#pragma omp for\n{LOOP}    }}\n"


@pytest.mark.parametrize("target", [CUDA, OPENMP_TARGET, STDPAR])
@pytest.mark.parametrize("body", [MARKED, REGION, f"#pragma acc parallel loop\n{LOOP}"])
def test_directives_of_the_source_do_not_stand_in_a_port(body: str, target: Dialect, tmp_path: Path) -> None:
    found = text(tmp_path, body, target)
    assert found.count("#pragma") == (target is OPENMP_TARGET)


def test_what_runs_at_once_already_stays(tmp_path: Path) -> None:
    message = why_not(tmp_path, f"    y[0] = 0;\n{MARKED}", OPENMP)
    assert message.endswith("already: `#pragma omp parallel for \\ schedule(static)`")


@pytest.mark.parametrize("hint", ["acc loop independent", "GCC ivdep", "ivdep", "omp simd", "unroll(4)"])
def test_hints_do_not_stand_above_a_marked_loop(hint: str, tmp_path: Path) -> None:
    found = text(tmp_path, f"    y[0] = 0;\n    #pragma {hint}\n{LOOP}", OPENMP)
    assert f"    y[0] = 0;\n    #pragma omp parallel for\n{LOOP}" in found


def test_other_lines_for_the_compiler_stay_above_a_marked_loop(tmp_path: Path) -> None:
    found = text(tmp_path, f"    y[0] = 0;\n#undef LIMIT\n    #pragma omp simd\n{LOOP}", OPENMP)
    assert f"    y[0] = 0;\n#undef LIMIT\n    #pragma omp parallel for\n{LOOP}" in found


def test_vectors_stay_in_a_marked_loop(tmp_path: Path) -> None:
    inner = "        #pragma omp simd\n        for (int j = 0; j < n; j++) y[i] += x[j];\n"
    body = f"    for (int i = 0; i < n; i++) {{\n{inner}    }}\n"
    assert inner in text(tmp_path, body, OPENMP)


def test_what_asks_for_its_threads_stays(tmp_path: Path) -> None:
    body = REGION.replace("    {\n", "    {\n        int me = omp_get_thread_num();\n").replace("= 1", "= me")
    assert "`omp_get_thread_num`, so it depends" in why_not(tmp_path, body, CUDA)


def test_refusals_name_lines_of_the_source(tmp_path: Path) -> None:
    carried = "    for (int i = 1; i < n; i++) y[i] = y[i - 1] * y[i];\n"
    found = proposed(tmp_path, f"    #pragma acc loop \\\n       seq\n{carried}", OPENMP)
    assert isinstance(found, Rejected)
    lines = (tmp_path / "a.c").read_text().split("\n")
    assert lines[found.diagnostics[0].line - 1].strip() == carried.strip()
