"""Prompts: what a model is shown of a unit."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import CPP, CUDA, OPENMP, Binding, Candidate, Dialect, Replacement, Transformation
from transpile.translators.llm.change import Change, Variant
from transpile.translators.llm.context import context_of
from transpile.translators.llm.dialogue import Dialogue, Question

HEADER = """#ifndef GRID_H
#define GRID_H
#define CELL 4
#define UNUSED 5
typedef float real;
struct Grid { real spacing; int width; };
struct Other { int nothing; };
#endif
"""
KERNEL = """#include "grid.h"
__constant__ real weights[CELL];
__device__ real weigh(real x) { return x * weights[0]; }
__global__ void spread(real *out, Grid grid, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = weigh(grid.spacing);
}
int main() { spread<<<4, 32>>>(nullptr, Grid{}, 100); }
"""
FUNCTION = (
    "double sum(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n"
)


def question(root: Path, name: str, target: Dialect) -> Question:
    source = parsers.read(root)
    unit = next(unit for unit in source.units if unit.name == name)
    return Question(source=source, unit=unit, contracts=(), target=target)


@pytest.fixture
def spread(tmp_path: Path) -> Path:
    (tmp_path / "grid.h").write_text(HEADER)
    (tmp_path / "spread.cu").write_text(KERNEL)
    return tmp_path


def test_context_is_what_the_text_names(spread: Path) -> None:
    asked = question(spread, "spread", OPENMP)
    found = context_of(asked.source, asked.unit)
    text = "\n".join(found.definitions)
    assert "#define CELL 4" in text and "typedef float real;" in text and "struct Grid" in text
    assert "__constant__ real weights[CELL];" in text
    assert "UNUSED" not in text and "Other" not in text and "GRID_H" not in text
    assert found.callees == ("__device__ real weigh(real x) { return x * weights[0]; }",)
    assert found.calls == ("spread<<<4, 32>>>(nullptr, Grid{}, 100)",)


@pytest.mark.parametrize(
    ("target", "guide"), [(OPENMP, "#pragma omp parallel for"), (CPP, "plain loops, no OpenMP")]
)
def test_kernels_are_asked_for_in_each_direction(spread: Path, target: Dialect, guide: str) -> None:
    system, task = Dialogue.begin(question(spread, "spread", target)).messages
    assert "CUDA C++" in system.content
    assert guide in task.content
    assert "void spread(real *out, Grid grid, int n);" in task.content
    assert "{{" not in task.content and "{%" not in task.content


@pytest.mark.parametrize(
    ("name", "target", "guide"),
    [("a.c", OPENMP, "reduction"), ("a.c", CUDA, "cudaMemcpy"), ("a.cpp", OPENMP, "reduction")],
)
def test_functions_are_asked_for_in_each_direction(
    tmp_path: Path, name: str, target: Dialect, guide: str
) -> None:
    (tmp_path / name).write_text(FUNCTION)
    system, task = Dialogue.begin(question(tmp_path, "sum", target)).messages
    assert f"You translate {'C' if name == 'a.c' else 'C++'} to" in system.content
    assert guide in task.content
    assert "double sum(const double *a, int n);" in task.content


def test_who_optimises_sees_the_translation_and_what_became_of_others(spread: Path) -> None:
    asked = question(spread, "spread", OPENMP)
    text = "void spread(real *out, Grid grid, int n) { out[0] = weigh(grid.spacing); /* größer */ }"
    base = Candidate(
        unit=asked.unit.id,
        replacements=(Replacement(unit=asked.unit.id, text=text.encode()),),
        binding=Binding(name="spread", arguments=("out", "grid", "n")),
    )
    change = Change(
        base=base,
        transformation=Transformation(
            name="tile", summary="Work in blocks.", targets=("openmp",), text="Of {{ n }} elements."
        ),
        facts=("2 ms a call",),
        variants=(Variant(text="void spread() { /* slow */ }", fate="fuse: right, 3 ms instead of 2 ms"),),
    )
    begun = Dialogue.begin(
        Question(source=asked.source, unit=asked.unit, contracts=(), target=OPENMP, change=change)
    )
    system, user = (message.content for message in begun.messages)
    assert "faster" in system and "You translate" not in system
    for part in (
        text,
        "Work in blocks.",
        "Of {{ n }} elements.",
        "2 ms a call",
        "/* slow */",
        "3 ms instead of 2 ms",
    ):
        assert part in user
    assert "void spread(real *out, Grid grid, int n);" in user and "#define CELL 4" in user
    assert "__global__ void spread" not in user
