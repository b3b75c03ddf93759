"""References to structs, which are looked at as pointers."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import OPENMP, ArrayFact, Candidate, Contract, Rejected, Role

TEXT = """struct Inner { int low; };
struct Grid { int nx; Inner inner; double *u, *v; };
void other(Grid &g);
%s
"""


def proposed(text: str, root: Path, **lengths: str) -> Candidate | Rejected:
    """Return what becomes of the last function."""
    (root / "a.cpp").write_text(TEXT % text)
    source = parsers.read(root)
    unit = source.units[-1]
    [signature] = source.signatures[unit.id]
    read = [item.name for item in signature.parameters if item.const]
    facts = tuple(
        ArrayFact(name=name, role=Role.IN if name in read else Role.INOUT, extent=extent)
        for name, extent in lengths.items()
    )
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return translators.propose(source, unit, (contract,), OPENMP)


def shown(text: str, root: Path, **lengths: str) -> str:
    found = proposed(text, root, **lengths)
    assert isinstance(found, Candidate), found.diagnostics
    return found.replacements[0].shown


FILL = "void f(%s) { for (int i = g.inner.low; i < g.nx; i++) g.u[i] = g.v[i]; }"


@pytest.mark.parametrize("given", ["Grid &g", "const Grid& g", "Grid & g"])
def test_members_behind_a_reference_are_arrays_and_sizes(given: str, tmp_path: Path) -> None:
    found = shown(FILL % given, tmp_path, **{"g": "1", "g.u": "g.nx", "g.v": "g.nx"})
    assert (
        "#pragma omp parallel for if (g.inner.low >= 0 && (g.u + g.nx <= g.v || g.v + g.nx <= g.u))" in found
    )
    assert f"void f({given})" in found
    assert "->" not in found


def test_the_struct_itself_is_asked_by_its_address(tmp_path: Path) -> None:
    text = "void f(const Grid &g, int *a) { for (int i = 0; i < g.nx; i++) a[i] = g.inner.low; }"
    found = shown(text, tmp_path, g="1", a="g.nx")
    assert "(const void *)(a + g.nx) <= (const void *)&g" in found
    assert "(const void *)(&g + 1) <= (const void *)a" in found


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < g.nx; i++) { other(g); g.u[i] = 1; }",
        "Grid *p = &g; for (int i = 0; i < g.nx; i++) { p->nx--; g.u[i] = 1; }",
        "for (int i = 0; i < g.nx; i++) { g.nx--; g.u[i] = 1; }",
    ],
)
def test_a_struct_that_may_change_keeps_its_loops(body: str, tmp_path: Path) -> None:
    found = proposed(f"void f(Grid &g) {{ {body} }}", tmp_path, **{"g": "1", "g.u": "g.nx", "g.v": "g.nx"})
    assert isinstance(found, Rejected)
