"""Kernels with translations for the prover alone: contracts by hand, nothing is compiled or run."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
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
    Source,
    UnitKind,
)
from transpile.testers.proposal import Proposal
from transpile.testers.prove import Unproved, prove


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A proposal with what it was made for."""

    source: Source
    proposal: Proposal

    @property
    def contract(self) -> Contract:
        """Return the contract of the only signature."""
        return self.proposal.contracts[0]


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
    asked = proposal(kernel, translation, law=law, lows=lows, distinct=distinct, arguments=arguments)
    return prove(asked.source, asked.proposal, seconds)


def proposal(
    kernel: str,
    translation: str,
    *,
    law: LaunchLaw | None = None,
    lows: dict[str, int] | None = None,
    distinct: tuple[str, ...] = (),
    arguments: tuple[str, ...] = (),
    file: str = "k.cu",
) -> Asked:
    """Return a translation of the only kernel, or function, of a text as it is judged."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / file
        path.write_text(kernel)
        source = parsers.read(path)
    unit = (
        source.units[0]
        if len(source.units) == 1
        else next(item for item in source.units if item.kind is UnitKind.KERNEL)
    )
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
        law=law or (Covers(x="n") if unit.kind is UnitKind.KERNEL else None),
    )
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=translation.encode()),),
        binding=Binding(
            name=unit.name, arguments=arguments or tuple(item.name for item in signature.parameters)
        ),
    )
    made = Proposal(unit=unit, contracts=(contract,), candidate=candidate)
    return Asked(source=source, proposal=made)


def claims(found: Proof | Unproved) -> set[Claim]:
    """Return what was proved."""
    return set(found.claims) if isinstance(found, Proof) else set()


def why(found: Proof | Unproved, claim: Claim) -> str:
    """Return why a claim was not proved."""
    return dict(found.unproved if isinstance(found, Proof) else found.reasons).get(claim, "")
