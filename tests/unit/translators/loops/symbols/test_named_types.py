"""Types of numbers that the source has names of its own for."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import CUDA, OPENMP, ArrayFact, ByRules, Candidate, Contract, Dialect, Rejected, Role
from transpile.translators.loops.symbols.enclosing_scope import enclosing_scope

TYPES = """#include <stdint.h>
#include <stddef.h>
typedef double real;
typedef const real fixed_t;
typedef unsigned long long large;
#define NUMBER real
typedef int place;
#ifdef NARROW
typedef float either;
#else
typedef double either;
#endif
typedef float clash;
namespace other { struct clash { int x; }; }
typedef real *pointer;
"""


def test_names_with_one_meaning_are_known(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(TYPES + "using same = size_t;\nvoid f(int n) { }\n")
    source = parsers.read(tmp_path)
    assert enclosing_scope(source, source.units[0]).meanings == {
        "real": "double",
        "large": "unsigned long long",
        "NUMBER": "double",
        "place": "int",
        "same": "size_t",
    }


def test_a_name_that_is_given_one_meaning_twice_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("typedef int32_t place_t;\ntypedef place_t place;\nvoid f(int n) { }\n")
    (tmp_path / "b.h").write_text("typedef int place;\ntypedef long either;\n")
    (tmp_path / "c.h").write_text("typedef int either;\n")
    source = parsers.read(tmp_path)
    known = enclosing_scope(source, source.units[0]).meanings
    assert known == {"place_t": "int32_t", "place": "int"}


def proposed(text: str, root: Path, target: Dialect = OPENMP, length: str = "n * m") -> Candidate | Rejected:
    (root / "a.cpp").write_text(TYPES + text)
    source = parsers.read(root)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = tuple(
        ArrayFact(name=item.name, role=Role.INOUT, extent=length)
        for item in signature.parameters
        if item.pointer
    )
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return translators.propose(source, unit, (contract,), target)


def shown(found: Candidate | Rejected) -> str:
    assert isinstance(found, Candidate), found.diagnostics
    return found.replacements[0].shown


ROWS = """void f(place n, place m, const real *__restrict__ a, NUMBER *__restrict__ b)
{
    for (place i = 1; i < n - 1; i++)
        for (place j = 0; j < m; j++)
            b[i * m + j] = (real)(a[(i - 1) * m + j]) + real(a[(i + 1) * m + j]);
}
"""


def test_they_are_seen_through_and_kept(tmp_path: Path) -> None:
    found = shown(proposed(ROWS, tmp_path))
    assert found.replace("    #pragma omp parallel for collapse(2)\n", "") == ROWS.rstrip("\n")


LARGEST = """{type} f(int n, const {type} *a)
{{
    {type} best = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > best) best = a[i];
    return best;
}}
"""


def test_a_device_gathers_them(tmp_path: Path) -> None:
    text = LARGEST.format(type="real").replace("if (a[i] > best) best = a[i]", "best += a[i]")
    found = shown(proposed(text, tmp_path, CUDA, "n"))
    assert "atomicAdd(best_total, best);" in found and "/*" not in found


def test_a_device_adds_up_what_means_several_things_that_it_can_add(tmp_path: Path) -> None:
    text = LARGEST.format(type="either").replace("if (a[i] > best) best = a[i]", "best += a[i]")
    found = shown(proposed(text, tmp_path, CUDA, "n"))
    assert "atomicAdd(best_total, best);" in found and "either *best_total" in found


def test_all_that_names_may_mean_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(TYPES + "typedef either both;\nvoid f(int n) { }\n")
    source = parsers.read(tmp_path)
    senses = enclosing_scope(source, source.units[0]).senses
    assert senses["either"] == senses["both"] == {"float", "double"} and senses["real"] == {"double"}
    assert senses.keys().isdisjoint(("clash", "pointer"))


def test_extremes_pass_over_what_is_no_number_as_the_source_does(tmp_path: Path) -> None:
    found = shown(proposed(LARGEST.format(type="real"), tmp_path, length="n"))
    assert "declare reduction(max_best : double :" in found


@pytest.mark.parametrize("kind", ["either", "clash"])
def test_what_means_several_things_is_not_gathered_as_one_of_them(kind: str, tmp_path: Path) -> None:
    found = proposed(LARGEST.format(type=kind), tmp_path, length="n")
    assert isinstance(found, Rejected) and "depends on the build" in found.diagnostics[0].message


@pytest.mark.parametrize("kind", ["real", "either", "double"])
def test_a_proof_says_that_sums_of_fractions_are_taken_in_another_order(kind: str, tmp_path: Path) -> None:
    text = LARGEST.format(type=kind).replace("if (a[i] > best) best = a[i]", "best += a[i]")
    found = proposed(text, tmp_path, length="n")
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules) and found.origin.proof
    assert any("sums of floating numbers" in item for item in found.origin.proof.assumptions)


def test_a_parameter_of_a_template_is_another_type(tmp_path: Path) -> None:
    text = ROWS.replace("void f", "template <typename real>\nvoid f").replace("NUMBER", "real")
    text += "template void f<float>(place, place, const float *__restrict__, float *__restrict__);\n"
    assert "template <typename real>" in shown(proposed(text, tmp_path))
