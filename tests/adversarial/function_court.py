"""Translations of the functions of a file that are judged by contracts which are learnt."""

from __future__ import annotations

from pathlib import Path

from tests.adversarial.candidates import Text
from transpile import parsers
from transpile.contracts import infer
from transpile.core import Binding, Candidate, Contract, Dialect, Replacement, Source, Verdict
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

Known = dict[str, tuple[Contract, ...]]


def read_source(file: str) -> Source:
    return parsers.read(Path(__file__).parent / file)


def learnt(workshop: Workshop, source: Source) -> Known:
    """Return the contracts of all functions of which one is found."""
    found = infer(workshop, source, source.units)
    return {item.name: known for item in source.units if isinstance(known := found[item.id], tuple)}


def judged(
    workshop: Workshop, source: Source, known: Known, texts: list[Text], dialect: Dialect
) -> dict[str, Verdict]:
    """Judge all texts at once, as a port does."""
    proposals = [_proposal(source, known[text.kernel], text, dialect) for text in texts]
    found = judge(workshop, source, proposals, seed=5)
    return {text.id: item.verdict for text, item in zip(texts, found, strict=True)}


def _proposal(source: Source, known: tuple[Contract, ...], text: Text, dialect: Dialect) -> Proposal:
    unit = next(item for item in source.units if item.name == text.kernel)
    candidate = Candidate(
        unit=unit.id,
        dialect=dialect,
        replacements=(Replacement(unit=unit.id, text=text.text.encode()),),
        binding=Binding(name=unit.name, arguments=known[0].signature.names),
        headers=text.headers,
    )
    return Proposal(unit=unit, contracts=known, candidate=candidate)
