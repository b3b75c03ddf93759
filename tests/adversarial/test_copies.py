"""Ports to CUDA that copy too little, too much or by another formula, which contracts may not know."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from benchmarks import copies, known
from tests.adversarial import copied, needs
from tests.conftest import Once
from tests.sampling import sampled, sampled_items
from transpile import parsers, translators
from transpile.contracts import infer
from transpile.core import (
    CUDA,
    Binding,
    ByRules,
    Candidate,
    Falsified,
    Inconclusive,
    Passed,
    Replacement,
    Source,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING
AS_RULES = ByRules(rules=("copies",))
"""Ports as rules write them, whose tests of lengths need no trial."""

FORMS = sampled_items(copied.FORMS, 6)
HAND = [
    *((name, "right", copied.right(name)) for name in FORMS),
    *((name, "one short", copied.one_short(name)) for name in FORMS),
    *((name, length, copied.wrong(name, length)) for name, form in FORMS.items() for length in form.wrong),
]
OWN = [
    *((held, "right", copied.weighted(held, 2, back=2)) for held in copied.HELD),
    *((held, "too much in", copied.weighted(held, 3)) for held in copied.HELD),
    *((held, "too much back", copied.weighted(held, 2, back=3)) for held in copied.HELD),
]
"""Copies from and to what the port's own host code holds."""
KINDS = ("leading", "backwards", "every_other", "part", "convolution")
KINDS += ("multiply", "extremes", "repeated", "gather", "scatter")
KINDS = tuple(sampled(KINDS, 5))
OF_EACH = 3
"""Spoilt copies of a function that are judged; ``benchmarks/truths.py`` takes them all."""


def _judged_by_hand(workshop: Workshop, root: Path) -> dict[tuple[str, str], Verdict | None]:
    """Return the verdicts, None where the function has no contract and nothing is kept anyway."""
    source = parsers.read(root)
    units = {unit.name: unit for unit in source.units}
    learnt = infer(workshop, source, source.units)
    found: dict[tuple[str, str], Verdict | None] = {}
    asked = []
    own = [("weighted", f"{held}, {what}", text) for held, what, text in OWN]
    for name, what, text in (*HAND, *own):
        contracts = learnt[units[name].id]
        if isinstance(contracts, Inconclusive):
            found[name, what] = None
            continue
        candidate = Candidate(
            unit=units[name].id,
            dialect=CUDA,
            replacements=(Replacement(unit=units[name].id, text=text.encode()),),
            binding=Binding(name=name, arguments=contracts[0].signature.names),
            headers=("<cstdlib>",),
            origin=AS_RULES,
        )
        proposal = Proposal(unit=units[name], contracts=contracts, candidate=candidate)
        asked.append(((name, what), proposal))
    verdicts = judge(workshop, source, [proposal for _, proposal in asked], seed=5)
    return found | {key: item.verdict for (key, _), item in zip(asked, verdicts, strict=True)}


@pytest.fixture(scope="module")
def by_hand(
    once: Once, workshop: Workshop, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, str], Verdict | None]:
    root = tmp_path_factory.mktemp("copies")
    (root / "copies.c").write_text((Path(__file__).parent / "copies.c").read_text())
    return once("copies by hand", partial(_judged_by_hand, workshop, root))


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "what"), [item[:2] for item in HAND if item[1] != "right"])
def test_lengths_that_data_say_are_not_guessed(
    by_hand: dict[tuple[str, str], Verdict | None], name: str, what: str
) -> None:
    assert not isinstance(by_hand[name, what], Passed), by_hand[name, what]


@pytest.mark.parametrize("name", FORMS)
def test_lengths_that_are_computed_are_never_falsified(
    by_hand: dict[tuple[str, str], Verdict | None], name: str
) -> None:
    assert not isinstance(by_hand[name, "right"], Falsified), by_hand[name, "right"]


@pytest.mark.parametrize("held", copied.HELD)
def test_copies_of_what_the_host_holds_stay_within(
    by_hand: dict[tuple[str, str], Verdict | None], held: str
) -> None:
    assert isinstance(by_hand["weighted", f"{held}, right"], Passed) is (held in copied.SEEN)
    assert not isinstance(by_hand["weighted", f"{held}, too much in"], Passed)
    assert not isinstance(by_hand["weighted", f"{held}, too much back"], Passed)


def _spoilt(source: Source, function: known.Known, proposal: Proposal) -> list[tuple[str, Proposal]]:
    """Return a few spoilt versions of a port that are wrong whatever the call."""
    constant = {item.name for item in function.parameters if item.declared.startswith("const ")}
    text = proposal.candidate.replacements[0].shown
    versions = [
        (what, spoilt)
        for what, spoilt in copies.spoilt(text, ())
        # What is only written need not be copied in; what a size of another array gives may be the same.
        if not what.startswith("another")
        and not (what.startswith("short copy in") and what.split(": ")[1] not in constant)
    ]
    chosen = random.Random(function.name).sample(versions, min(OF_EACH, len(versions)))
    return [
        (
            f"{function.name}, {what}",
            Proposal(
                unit=proposal.unit,
                contracts=proposal.contracts,
                candidate=copies.replaced(proposal.candidate, spoilt),
            ),
        )
        for what, spoilt in chosen
    ]


def _judged_spoilt(workshop: Workshop, root: Path) -> dict[str, Verdict]:
    functions = known.generate(len(KINDS), 21, KINDS)
    (root / "known.c").write_text(known.source_of(functions))
    source = parsers.read(root)
    units = {unit.name: unit for unit in source.units}
    learnt = infer(workshop, source, source.units)
    ports, asked = [], []
    for function in functions:
        unit = units[function.name]
        contracts = learnt[unit.id]
        if isinstance(contracts, Inconclusive):
            continue
        made = translators.propose(source, unit, contracts, CUDA)
        if isinstance(made, Candidate):
            proposal = Proposal(unit=unit, contracts=contracts, candidate=made)
            ports.append((function.name, proposal))
            asked += _spoilt(source, function, proposal)
    verdicts = judge(workshop, source, [proposal for _, proposal in (*ports, *asked)], seed=7)
    return {what: item.verdict for (what, _), item in zip((*ports, *asked), verdicts, strict=True)}


@pytest.mark.thorough
def test_spoilt_copies_are_refused(workshop: Workshop, tmp_path: Path) -> None:
    verdicts = _judged_spoilt(workshop, tmp_path)
    whole = {what for what, verdict in verdicts.items() if isinstance(verdict, Passed) and ", " not in what}
    assert len(whole) >= len(KINDS) // 2, "too few ports to spoil"
    spoilt = {what: verdict for what, verdict in verdicts.items() if what.split(", ")[0] in whole - {what}}
    assert len(spoilt) >= 2 * len(whole)
    kept = [what for what, verdict in spoilt.items() if isinstance(verdict, Passed)]
    assert not kept
