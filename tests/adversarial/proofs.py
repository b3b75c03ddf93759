"""Kernels with translations for the prover alone: contracts by hand, nothing is compiled or run."""

from __future__ import annotations

import tempfile
from pathlib import Path

from transpile import parsers
from transpile.core import (
    ArrayFact,
    Binding,
    Candidate,
    Claim,
    Contract,
    Covers,
    LaunchLaw,
    Proof,
    Range,
    Replacement,
    Role,
    ScalarFact,
)
from transpile.testers.proposal import Proposal
from transpile.testers.prove import Unproved, prove


def attempt(
    kernel: str,
    translation: str,
    *,
    law: LaunchLaw | None = None,
    lows: dict[str, int] | None = None,
    distinct: tuple[str, ...] = (),
    arguments: tuple[str, ...] = (),
    seconds: float = 20.0,
) -> Proof | Unproved:
    """Return what is proved of a translation of the only kernel of a text."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "k.cu"
        file.write_text(kernel)
        source = parsers.read(file)
    unit = next(item for item in source.units if item.kind == "kernel")
    (signature,) = source.signatures[unit.id]
    contract = Contract(
        signature=signature,
        arrays=tuple(
            ArrayFact(name=item.name, role=Role.INOUT, extent="n", distinct=item.name in distinct)
            for item in signature.parameters
            if item.pointer
        ),
        scalars=tuple(
            ScalarFact(name=name, values=Range(low=str(low), high="100000"))
            for name, low in (lows or {}).items()
        ),
        law=law or Covers(x="n"),
    )
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=translation.encode()),),
        binding=Binding(
            name=unit.name, arguments=arguments or tuple(item.name for item in signature.parameters)
        ),
    )
    return prove(source, Proposal(unit=unit, contracts=(contract,), candidate=candidate), seconds)


def claims(found: Proof | Unproved) -> set[Claim]:
    """Return what was proved."""
    return set(found.claims) if isinstance(found, Proof) else set()


def why(found: Proof | Unproved, claim: Claim) -> str:
    """Return why a claim was not proved."""
    return dict(found.unproved if isinstance(found, Proof) else found.reasons).get(claim, "")
