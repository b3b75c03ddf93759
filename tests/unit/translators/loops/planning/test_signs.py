"""Loops that run in parallel unless a parameter is negative."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import text
from transpile import parsers, translators
from transpile.core import CUDA, OPENMP, Candidate
from transpile.translators.loops.analysis.idioms import ALL_IDIOMS
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.planning.choice import formed
from transpile.translators.loops.symbols.enclosing_scope import NOTHING

HALO = """void f(int x, int y, int h, double *u, const double *restrict p)
{
    %s
    for (int j = h; j < y - h; j++)
        for (int i = h; i < x - h; i++)
            %s;
}
"""


def asked(text: str, *, asking: bool = True) -> tuple[str, list[str], tuple[str, ...]]:
    """Return the variable of the loop that runs in parallel, what it asks, and the rules."""
    found = formed(text, None, NOTHING, idioms=ALL_IDIOMS, asking=asking, comparing=asking)
    [part] = found.parts
    assert isinstance(part, Band)
    signs = [sign for known in part.loops for sign in known.signs]
    return part.outer.variable.name, list(dict.fromkeys(signs)), found.rules


@pytest.mark.parametrize("body", ["u[j * x + i] = p[j * x + i]", "u[j * x + i] += p[j * x + i]"])
def test_rows_without_a_halo_do_not_meet_unless_it_is_negative(body: str) -> None:
    assert asked(HALO % ("", body)) == ("j", ["h >= 0"], ("asks whether h >= 0",))


def test_what_cannot_ask_takes_the_loops_in_it() -> None:
    assert asked(HALO % ("", "u[j * x + i] = p[j * x + i]"), asking=False) == ("i", [], ())


@pytest.mark.parametrize(
    ("body", "asks"),
    [
        ("for (int i = 0; i < x; i++) u[i * h] = p[i * y];", "h >= 1"),
        ("for (int i = 0; i < x; i++) u[y + i * h] *= 2;", "h >= 1"),
        ("for (int i = 0; i < x; i++) { u[i * h] = 1; u[i * h + 2] = i; }", "h >= 3"),
        ("for (int i = 0; i < x; i++) for (int j = 0; j < 3; j++) u[i * h + j] = i;", "h >= 3"),
    ],
)
def test_steps_lead_to_other_elements_unless_they_are_too_short(body: str, asks: str) -> None:
    function = f"void f(int x, int y, int h, double *u, const double *restrict p) {{ {body} }}"
    assert asked(function) == ("i", [asks], (f"asks whether {asks}",))


def test_channels_that_no_number_keeps_apart_are_not_asked_for() -> None:
    body = "for (int i = 0; i < x; i++) u[i * h + y] = u[i * y + h];"
    [part] = formed(
        f"void f(int x, int y, int h, double *u) {{ {body} }}",
        None,
        NOTHING,
        idioms=ALL_IDIOMS,
        comparing=True,
    ).parts
    assert isinstance(part, SequentialNest)


def test_a_port_to_cuda_has_the_sources_loops_for_steps_that_are_too_short(tmp_path: Path) -> None:
    shown = text(tmp_path, "    for (int i = 0; i < 9; i++) y[i * n] = i;\n", CUDA)
    assert "    if (!(n >= 1)) {\n        f_sequential(n, x, y);\n        return;\n    }\n" in shown
    assert "// Iterations that may meet or lead ahead of an array are left to the loops in order." in shown
    assert "if (i >= 9) return;" in shown


@pytest.mark.parametrize("before", ["h--;", "{ int h = 3; u[h] = 0; }"])
def test_a_parameter_that_means_several_numbers_is_not_asked(before: str) -> None:
    assert asked(HALO % (before, "u[j * x + i] = p[j * x + i]"))[:2] == ("i", [])


CORNER = """void f(const int *first, const int *last, double *u, const double *p)
{
    int left = *first%s;
    int right;
    right = *last;
    %s
    for (int j = 0; j <= right; j++)
        for (int i = left; i <= right; i++)
            u[(right + 4) * j + i - (left - 2)] = p[i];
}
"""


@pytest.mark.parametrize("before", ["", "left = *last;"])
def test_what_is_set_before_a_nest_is_asked_right_there(before: str) -> None:
    assert asked(CORNER % ("", before))[:2] == ("j", ["left >= 0"])


@pytest.mark.parametrize(
    ("more", "before"),
    [("", "{ int left = 3; u[left] = 0; }"), ("", "read(&left);"), (", *at = &left", "")],
)
def test_a_name_of_several_numbers_or_one_that_others_change_is_not_asked(more: str, before: str) -> None:
    found = formed(CORNER % (more, before), None, NOTHING, idioms=ALL_IDIOMS, asking=True, comparing=True)
    assert not any("asks" in rule for rule in found.rules)


def test_what_a_nest_sets_is_not_asked() -> None:
    text = (CORNER % ("", "")).replace("u[(right", "left += 0, u[(right")
    assert not any(
        "asks" in rule
        for rule in formed(text, None, NOTHING, idioms=ALL_IDIOMS, asking=True, comparing=True).rules
    )


def test_nothing_is_asked_where_it_would_free_nothing() -> None:
    assert asked(HALO % ("", "u[i] = p[j * x + i]")) == ("i", [], ())


def test_a_stencil_in_place_asks_for_its_rows_to_lie_apart() -> None:
    assert asked(HALO % ("", "u[j * x + i] = u[j * x + i - x]"))[:2] == ("i", ["h >= 0"])


def test_the_port_asks_each_time(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(HALO % ("", "u[j * x + i] = 1"))
    source = parsers.read(tmp_path)
    found = translators.propose(source, source.units[0], (), OPENMP)
    assert isinstance(found, Candidate)
    assert "#pragma omp parallel for collapse(2) if (h >= 0)\n" in found.replacements[0].shown


def test_what_the_program_asks_first_is_of_parameters() -> None:
    found = formed(CORNER % ("", ""), None, NOTHING, idioms=ALL_IDIOMS, comparing=True)
    assert not any("left" in rule for rule in found.rules)
