"""Faults as candidates: called as their source is."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Contract
from transpile.testers.mutation.mutants import Mutant, as_proposal

STRUCT = "struct Grid { int n; double *u; };\nvoid f(Grid *g, double w) { g->u[0] = w * g->n; }\n"
VECTOR = "#include <vector>\nvoid f(const std::vector<double> &x, double &y) { y = x[0]; }\n"


@pytest.mark.parametrize(("text", "names"), [(STRUCT, ("g", "w")), (VECTOR, ("x", "y"))])
def test_mutants_take_the_parameters_of_their_source(
    text: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "f.cpp").write_text(text)
    source = parsers.read(tmp_path)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    assert len(signature.parameters) > len(names)
    contract = Contract(signature=signature, arrays=(), scalars=(), law=None)
    texts = ((unit.id, unit.text),)
    mutant = Mutant(unit=unit.id, path=unit.path, line=1, operator="none", before="", after="", texts=texts)
    assert as_proposal(unit, [contract], mutant).candidate.binding.arguments == names
