"""Faults as candidates: called as their source is."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Contract, Unit
from transpile.testers.mutation.mutants import Mutant, as_proposal
from transpile.testers.proposal import Proposal

STRUCT = "struct Grid { int n; double *u; };\nvoid f(Grid *g, double w) { g->u[0] = w * g->n; }\n"
VECTOR = "#include <vector>\nvoid f(const std::vector<double> &x, double &y) { y = x[0]; }\n"


@pytest.mark.parametrize(("text", "names"), [(STRUCT, ("g", "w")), (VECTOR, ("x", "y"))])
def test_mutants_take_the_parameters_of_their_source(
    text: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "f.cpp").write_text(text)
    _, contract, proposal = proposed(tmp_path)
    assert len(contract.signature.parameters) > len(names)
    assert proposal.candidate.binding.arguments == names


def test_mutants_wait_where_their_source_does(tmp_path: Path) -> None:
    body = "volatile int *v = a; int t = threadIdx.x; v[t] += v[t + 1];"
    (tmp_path / "a.cu").write_text(f"#include <cuda_runtime.h>\n__global__ void k(int *a) {{ {body} }}\n")
    unit, _, proposal = proposed(tmp_path)
    [replacement] = proposal.candidate.replacements
    assert b"__syncwarp" not in unit.text
    assert replacement.text.count(b"__syncwarp") == 3


def proposed(root: Path) -> tuple[Unit, Contract, Proposal]:
    """Return the only unit of a folder, a contract, and its own text as a mutant."""
    source = parsers.read(root)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    contract = Contract(signature=signature, arrays=(), scalars=(), law=None)
    texts = ((unit.id, unit.text),)
    mutant = Mutant(unit=unit.id, path=unit.path, line=1, operator="none", before="", after="", texts=texts)
    return unit, contract, as_proposal(unit, [contract], mutant)
