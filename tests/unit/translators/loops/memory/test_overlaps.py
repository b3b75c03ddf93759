"""Which arrays a translation has to ask about."""

from __future__ import annotations

from pathlib import Path

from transpile import parsers, translators
from transpile.core import OPENMP, ArrayFact, Candidate, Contract, Role

TEXT = """static double here[64][8], there[64][8];
void f(int n, double *x)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 8; j++)
            %s;
}
"""


def asked(statement: str, root: Path) -> str:
    """Return the line above the loops."""
    (root / "a.c").write_text(TEXT % statement)
    source = parsers.read(root)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = (ArrayFact(name="x", role=Role.INOUT, extent="8 * n"),)
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    found = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(found, Candidate)
    return found.replacements[0].shown.split("{\n", 1)[1].split("    for")[0].strip()


def test_two_arrays_at_file_scope_lie_apart(tmp_path: Path) -> None:
    assert asked("here[i][j] = there[i - 1][j]", tmp_path) == "#pragma omp parallel for collapse(2)"


def test_an_array_at_file_scope_may_be_what_a_caller_hands_over(tmp_path: Path) -> None:
    found = asked("x[i * 8 + j] = there[i - 1][j]", tmp_path)
    assert "(const void *)(there + 64) <= (const void *)x" in found
