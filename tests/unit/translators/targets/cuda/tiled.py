"""The faster port to CUDA or HIP that is proposed beside the plain one."""

from __future__ import annotations

from pathlib import Path

from transpile import parsers, translators
from transpile.core import CUDA, ArrayFact, Candidate, Contract, Dialect, Role


def variant(place: Path, text: str, target: Dialect = CUDA) -> Candidate | None:
    """Return what is proposed for the one function of a text; each of its arrays has ``n`` elements."""
    (place / "a.c").write_text(text)
    source = parsers.read(place)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    arrays = [item.name for item in signature.parameters if item.element is not None]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n") for name in arrays)
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return next(translators.variants(source, unit, (contract,), target), None)


def shown(place: Path, text: str) -> str:
    """Return the text of what is proposed."""
    found = variant(place, text)
    assert found is not None
    return found.replacements[0].shown
