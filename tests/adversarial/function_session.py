"""Translations of the functions of a file that are judged by contracts which are learnt."""

from __future__ import annotations

from pathlib import Path

from tests.adversarial.candidates import Text
from tests.integration.functions import unit
from transpile import parsers
from transpile.contracts import infer
from transpile.core import (
    Binding,
    ByModel,
    ByRules,
    Candidate,
    Contract,
    Dialect,
    Replacement,
    Source,
    Unit,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

Known = dict[str, tuple[Contract, ...]]


def read_source(file: str) -> Source:
    return parsers.read(Path(__file__).parent / file)


def learnt(workshop: Workshop, source: Source, texts: list[Text]) -> Known:
    """Return the contracts of all functions of which one is found and which a text stands for."""
    units = [item for item in source.units if item.name in {text.kernel for text in texts}]
    found = infer(workshop, source, units)
    return {item.name: known for item in units if isinstance(known := found[item.id], tuple)}


def judged(
    workshop: Workshop, source: Source, known: Known, texts: list[Text], dialect: Dialect
) -> dict[str, Verdict]:
    """Judge all texts at once, as a port does."""
    proposals = [
        proposal(unit(source, text.kernel), known[text.kernel], text.text, text.headers, dialect)
        for text in texts
    ]
    found = judge(workshop, source, proposals, seed=5)
    return {text.id: item.verdict for text, item in zip(texts, found, strict=True)}


def proposal(
    own: Unit,
    known: tuple[Contract, ...],
    text: str,
    headers: tuple[str, ...],
    dialect: Dialect,
    origin: ByRules | ByModel | None = None,
) -> Proposal:
    """Return a text as a candidate for a function that is called like its source."""
    candidate = Candidate(
        unit=own.id,
        dialect=dialect,
        replacements=(Replacement(unit=own.id, text=text.encode()),),
        binding=Binding(name=own.name, arguments=known[0].signature.names),
        headers=headers,
        origin=origin or ByRules(),
    )
    return Proposal(unit=own, contracts=known, candidate=candidate)
