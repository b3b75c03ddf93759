"""Sizes behind pointers to numbers, as Fortran hands them on."""

from __future__ import annotations

from pathlib import Path

from transpile import parsers, translators
from transpile.core import CUDA, ArrayFact, Candidate, Contract, Role


def test_a_number_behind_a_pointer_is_no_member(tmp_path: Path) -> None:
    body = "{ for (int i = 0; i < *n; i++) a[i] *= 2; }"
    (tmp_path / "a.c").write_text(f"void scale(int *n, float *a)\n{body}\n")
    source = parsers.read(tmp_path)
    [unit] = source.units
    facts = (
        ArrayFact(name="n", role=Role.IN, extent="1"),
        ArrayFact(name="a", role=Role.INOUT, extent="n.value"),
    )
    contract = Contract(signature=source.signatures[unit.id][0], arrays=facts, scalars=(), law=None)
    found = translators.propose(source, unit, (contract,), CUDA)
    assert isinstance(found, Candidate)
    shown = found.replacements[0].shown
    assert "reach = std::max<long long>(reach, i + 1LL);" in shown and "n.value" not in shown
