"""Ports of fused loops: marked loops, and the source's beside them where arrays overlap."""

from __future__ import annotations

from pathlib import Path

from transpile import parsers, translators
from transpile.core import OPENMP, ArrayFact, ByRules, Candidate, Contract, Role

CHAIN = """    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
    for (int i = 0; i < n; i++)
        z[i] = y[i] + x[i];
"""


def variants(place: Path, body: str, qualifier: str = "", extent: str = "n") -> list[Candidate]:
    head = f"void f(int n, const float *{qualifier} x, float *{qualifier} y, float *{qualifier} z)"
    (place / "a.c").write_text(f"{head}\n{{\n{body}}}\n")
    source = parsers.read(place)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent=extent) for name in "xyz" if extent)
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return list(translators.variants(source, unit, (contract,), OPENMP))


def text(place: Path, body: str, qualifier: str = "") -> str:
    [found] = variants(place, body, qualifier)
    assert isinstance(found.origin, ByRules) and "fused" in found.origin.rules
    shown = found.replacements[0].shown
    return shown[shown.index("{\n") + 2 : shown.rindex("}")]


def test_one_loop_goes_through_what_two_did(tmp_path: Path) -> None:
    assert (
        text(tmp_path, CHAIN, "restrict")
        == """    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = 2 * x[i];
        z[i] = y[i] + x[i];
    }
"""
    )


def test_what_overlaps_goes_through_the_loops_as_they_were(tmp_path: Path) -> None:
    found = text(tmp_path, CHAIN)
    fast, slow = found.split("    } else {\n")
    assert "const int fuse = (y + n <= x || x + n <= y)\n" in fast and "y + n <= z" in fast
    assert fast.count("#pragma") == fast.count("for (") == 1 and "    if (fuse) {\n        #pragma" in fast
    assert slow == "".join(f"    {line}\n" for line in CHAIN.splitlines()) + "    }\n"


def test_flags_of_two_places_have_names_of_their_own(tmp_path: Path) -> None:
    found = text(tmp_path, f"{CHAIN}    ;\n{CHAIN}")
    assert found.count("const int fuse = ") == found.count("const int fuse_1 = ") == 1


def test_where_it_is_not_known_what_overlaps_nothing_is_fused(tmp_path: Path) -> None:
    assert not variants(tmp_path, CHAIN, extent="")


def test_loops_of_another_kind_are_marked_beside_fused_ones(tmp_path: Path) -> None:
    found = text(tmp_path, f"{CHAIN}    for (int i = 1; i < n; i++) z[i] = 1;\n", "restrict")
    assert found.count("#pragma omp parallel for\n") == found.count("for (") == 2


def test_what_needs_its_neighbours_is_not_fused(tmp_path: Path) -> None:
    sweep = "for (int i = 1; i < n - 1; i++) {0}[i] = {1}[i - 1] + {1}[i + 1];"
    body = f"for (int t = 0; t < 9; t++) {{ {sweep.format('y', 'z')} {sweep.format('z', 'y')} }}"
    assert not variants(tmp_path, f"    {body}\n")
