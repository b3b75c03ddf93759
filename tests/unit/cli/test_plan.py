"""The plan of ``port --plan`` is the work of ``port``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.cli import ports
from transpile import parsers, pipeline
from transpile.cli.plan import plan
from transpile.keys import keys_of
from transpile.options import PortOptions
from transpile.store import Store

C = """
int square(int x) { return x * x; }
void all(float *y, int n) { for (int i = 0; i < n; i++) y[i] = 0; }
void some(float *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; }
int main(void) { return square(0); }
"""
CUDA = """
__global__ void k(float *y, int n) { int i = threadIdx.x; if (i < n) y[i] = 0; }
void host(float *y, int n) { for (int i = 0; i < n; i++) y[i] = 0; }
"""


@pytest.mark.parametrize(("name", "text"), [("a.c", C), ("a.cu", CUDA)])
@pytest.mark.parametrize("only", [(), ("all", "host")])
def test_what_is_planned_to_be_judged_is_what_a_port_judges(
    name: str, text: str, only: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    source, options = parsers.read(tmp_path), PortOptions(cache=tmp_path / "cache", only=only)
    judged = pipeline.chosen(source, options, pipeline.judged_kinds(source))
    planned = [step.unit for step in plan(source, options) if step.action == "judge"]
    assert planned == list(judged)


def test_a_plan_says_why_functions_of_c_are_left(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(C)
    options = PortOptions(cache=tmp_path / "cache", exclude=("some",))
    found = {step.unit.name: (step.action, step.detail) for step in plan(parsers.read(tmp_path), options)}
    assert found == {
        "square": ("leave", "without a loop and without recursion"),
        "all": ("judge", ""),
        "some": ("leave", "not chosen"),
        "main": ("edit", "judged by program runs"),
    }


def test_what_is_judged_afresh_is_planned_so(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(C)
    source, options = parsers.read(tmp_path), PortOptions(cache=tmp_path / "cache", only=("all",))
    [unit] = pipeline.chosen(source, options, pipeline.judged_kinds(source))
    known = replace(ports.evidence("all", ports.PASSED), unit=unit)
    Store(options.cache / "evidence").save(keys_of(source, [unit], options)[unit.id], known)

    def action(options: PortOptions) -> str:
        return next(step.action for step in plan(source, options) if step.unit == unit)

    assert action(options) == "reuse"
    assert action(replace(options, afresh=True)) == "judge"
