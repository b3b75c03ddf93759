"""Refusals that no contract would change are given before one is learnt."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import CUDA, OPENMP, Dialect, Rejected, Source, UnitKind
from transpile.options import PortOptions
from transpile.pipeline import chosen
from transpile.stages import work as working
from transpile.stages.rules import decide
from transpile.stages.work import Work
from transpile.toolchains.workshop import Workshop

_HOPELESS = """
__global__ void counted(unsigned *x)
{
    x[0] = x[1] > 3 && atomicInc(x, 7) > 2;
}
int main() { counted<<<1, 1>>>(nullptr); }
"""
_PLAIN = """
__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
int main() { twice<<<1, 1>>>(nullptr, 0); }
"""


def source_of(folder: Path, text: str) -> Source:
    (folder / "main.cu").write_text(text)
    return parsers.read(folder)


def test_a_pattern_without_a_rule_is_foreseen(tmp_path: Path) -> None:
    source = source_of(tmp_path, _HOPELESS)
    unit = next(unit for unit in source.units if unit.name == "counted")
    refusal = translators.foreseen(source, unit, OPENMP)
    assert refusal is not None and refusal.diagnostics[0].code == "TP204"


def test_what_some_contract_allows_is_not_refused(tmp_path: Path) -> None:
    source = source_of(tmp_path, _PLAIN)
    unit = next(unit for unit in source.units if unit.name == "twice")
    assert translators.foreseen(source, unit, OPENMP) is None


def test_nothing_is_learnt_of_what_is_refused_anyway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = source_of(tmp_path, _HOPELESS)
    asked: list[object] = []

    def infer(workshop: object, source: object, units: list[object], **_: object) -> dict[str, object]:
        asked.extend(units)
        return {}

    monkeypatch.setattr(working, "infer", infer)
    options = PortOptions(cache=tmp_path)
    units = chosen(source, options)
    work = Work(workshop=Workshop(cache=tmp_path), source=source, options=options)
    (evidence,) = decide(work, units, {})
    assert isinstance(evidence.verdict, Rejected) and not asked


_C = """
int twice(int x) { return 2 * x; }
void all(int n, float *y) { for (int i = 0; i < n; i++) y[i] = 0; }
"""


@pytest.mark.parametrize(("only", "names"), [((), ["all"]), (("*",), ["twice", "all"])])
def test_a_function_without_a_loop_is_a_unit_where_it_is_named(
    only: tuple[str, ...], names: list[str], tmp_path: Path
) -> None:
    (tmp_path / "a.c").write_text(_C)
    source = parsers.read(tmp_path)
    units = chosen(source, PortOptions(cache=tmp_path, target=OPENMP, only=only), (UnitKind.FUNCTION,))
    assert [unit.name for unit in units] == names


@pytest.mark.parametrize("target", [OPENMP, CUDA])
def test_functions_that_declare_parameters_before_the_body_are_refused_by_name(
    tmp_path: Path, target: Dialect
) -> None:
    text = "void f(x, n) double *x; int n; { int i; for (i = 0; i < n; i++) x[i] = 0; }\n"
    (tmp_path / "a.c").write_text(text + "int g(n) int n; { return n > 1 ? g(n - 1) + g(n - 2) : n; }\n")
    source = parsers.read(tmp_path)
    [unit] = chosen(source, PortOptions(cache=tmp_path, target=target), (UnitKind.FUNCTION,))
    refusal = translators.foreseen(source, unit, target)
    assert refusal is not None and "in front of the body" in refusal.diagnostics[0].message
