"""How long the copies of arrays are: by the text, by an inspector, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import (
    CUDA,
    OPENMP,
    ArrayFact,
    ByRules,
    Candidate,
    Contract,
    Dialect,
    Origin,
    Rejected,
    Role,
)

GUESS = "unused - 1"
"""What was fitted to runs: nothing of it may be in a port."""


def proposed(
    place: Path, text: str, target: Dialect = CUDA, *, extent: str = GUESS, origin: Origin = Origin.TRACE
) -> Candidate | Rejected:
    (place / "a.c").write_text(text)
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    facts = tuple(
        ArrayFact(name=item.name, role=Role.INOUT, extent=extent, origin=origin)
        for item in signature.parameters
        if item.pointer
    )
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return translators.propose(source, unit, (contract,), target)


def shown(place: Path, text: str, target: Dialect = CUDA) -> str:
    found = proposed(place, text, target)
    assert isinstance(found, Candidate)
    return found.replacements[0].shown


def test_an_index_array_says_how_much_is_copied(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *at, const float *x, float *y)\n"
    body = "{ for (int i = 0; i < n; i++) y[i] = x[at[i]]; }\n"
    port = shown(tmp_path, text + body)
    assert "reach = std::max<long long>(reach, at[i] + 1LL);" in port
    assert "const size_t x_size = sizeof(float) * x_reach;" in port
    assert "const size_t at_size = n > 0 ? sizeof(int) * n : 0;" in port and "unused - 1" not in port


def test_a_size_in_an_array_is_the_length_itself(tmp_path: Path) -> None:
    text = "void f(const int *n, int unused, float *x)\n"
    port = shown(tmp_path, text + "{ int m = n[0]; for (int i = 0; i < m; i++) x[i] *= 2; }\n")
    assert "const size_t x_size = m > 0 ? sizeof(float) * m : 0;" in port and "reach" not in port


def test_fractions_decide_as_elements_do(tmp_path: Path) -> None:
    text = "void f(int n, int unused, float by, const float *x, float *y)\n"
    port = shown(tmp_path, text + "{ for (int i = 0; i < n; i++) y[i] = x[(int)(i * by)]; }\n")
    assert (
        "reach = std::max<long long>(reach, (int)(i * by) + 1LL);" in port or "(int)(i * by)) + 1LL" in port
    )


def test_offsets_are_inspected_row_by_row(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *row, const float *x, float *y)\n"
    inner = "for (int k = row[i]; k < row[i + 1]; k++) s += x[k];"
    port = shown(tmp_path, f"{text}{{ for (int i = 0; i < n; i++) {{ float s = 0; {inner} y[i] = s; }} }}\n")
    assert "if (row[i] < row[i + 1]) reach = std::max<long long>(reach, row[i + 1]);" in port


@pytest.mark.parametrize(
    "condition", ["if (at[i] >= 0 && at[i] < n) y[i] = x[at[i]];", "y[i] = at[i] < n ? x[at[i]] : 0;"]
)
def test_an_inspector_goes_where_the_loops_go(tmp_path: Path, condition: str) -> None:
    text = "void f(int n, int unused, const int *at, const float *x, float *y)\n"
    port = shown(tmp_path, f"{text}{{ for (int i = 0; i < n; i++) {condition} }}\n")
    begin = port.index("x_reach = [=]")
    inspector = port[begin : port.index("}();", begin)]
    assert "at[i] < n" in inspector and "if (" in inspector


def test_what_the_loops_write_says_nothing_before_they_run(tmp_path: Path) -> None:
    text = "void f(int n, int unused, int *at, float *x)\n"
    body = "{ for (int i = 0; i < n; i++) { at[i] = at[i] / 2; x[at[i]] += 1; } }\n"
    found = proposed(tmp_path, text + body)
    assert isinstance(found, Rejected)
    assert "`x` is reached" in found.diagnostics[0].message and "`at`" in found.diagnostics[0].message


def test_a_fit_that_exceeds_what_the_text_reaches_is_no_length(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const float *x, float *y)\n"
    found = proposed(tmp_path, text + "{ for (int i = 0; i < n; i++) y[i] = x[i]; }\n", extent="n * n")
    assert isinstance(found, Candidate)
    assert "const size_t x_size = n > 0 ? sizeof(float) * n : 0;" in found.replacements[0].shown


def test_elements_that_a_condition_on_data_leaves_out_need_not_be_there(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *mask, const float *x, float *y)\n"
    body = "{ for (int i = 0; i < n; i++) if (mask[i]) y[i] = x[i]; }\n"
    found = proposed(tmp_path, text + body, extent="n")
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules)
    assert (
        "if (mask[i])" in found.replacements[0].shown.partition("reach = 0;")[2].partition("return reach")[0]
    )
    assert "const size_t mask_size = n > 0 ? sizeof(int) * n : 0;" in found.replacements[0].shown
    assert not any("elements" in rule for rule in found.origin.rules)


def test_a_table_for_each_character_is_copied_as_far_as_characters_go(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const unsigned char *s, const float *x, float *y)\n"
    port = shown(tmp_path, text + "{ for (int i = 0; i < n; i++) y[i] = x[s[i]]; }\n")
    assert "reach = std::max<long long>(reach, s[i] + 1LL);" in port


def test_openmp_supposes_what_no_check_can_ask(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *at, const float *x, float *y)\n"
    body = "{ for (int i = 0; i < n; i++) y[i] = x[at[i]]; }\n"
    found = proposed(tmp_path, text + body, OPENMP)
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules)
    assert "(x < y || y + n <= x)" in found.replacements[0].shown
    assert "assumes `x` and `y` do not overlap" in {
        rule.replace("`y` and `x`", "`x` and `y`") for rule in found.origin.rules
    }


def test_a_copy_of_bins_needs_a_length_that_somebody_stated(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *a, int *bins)\n"
    body = "{ for (int i = 0; i < n; i++) bins[a[i]]++; }\n"
    found = proposed(tmp_path, text + body, OPENMP, extent="8")
    assert isinstance(found, Candidate) and "atomic" in found.replacements[0].shown
    assert "bins[:8]" not in found.replacements[0].shown
