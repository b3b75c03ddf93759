"""Mutants of correct translations, fed in as candidates: are wrong ones kept, or right ones refused?

    python benchmarks/strength.py babeltower ITEMS.jsonl [--every N] [--skip N] [--cache DIR] [--mutants N]
    python benchmarks/strength.py functions ITEMS.jsonl [--every N] [--skip N] [--cache DIR] [--mutants N]
    python benchmarks/strength.py programs FOLDER... [--cache DIR] [--mutants N]

Of an item file, the file's own reference is the correct translation (of a kernel into C, or of a C
function into CUDA); of a program, what the rules make of each kernel, given what the program's small run
launches. Faults are planted in all texts of a translation and in its OpenMP directives. The references are
judged first, since they do not always agree with their source: those that do not are listed with the
difference, and have no mutants. A mutant that is kept is listed, to be read by a person, unless the
compiler turns it into the reference's own instructions or z3 shows that it agrees with the source.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import functions
from hecbench import ARGUMENTS

from transpile import pipeline, testers, translators
from transpile.contracts import infer
from transpile.core import (
    Binding,
    Candidate,
    Claim,
    Contract,
    Inconclusive,
    Level,
    Passed,
    Proof,
    Replacement,
    Source,
    Unit,
    UnitKind,
)
from transpile.options import PortOptions
from transpile.report.findings import reason_of
from transpile.stages import refusal_of
from transpile.testers.mutation.instructions import alike
from transpile.testers.mutation.operators import Mutation, mutations, sampled
from transpile.testers.prove import prove
from transpile.testers.run.bench import CandidateBench
from transpile.testers.verdict.session import translation_unit
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.workshop import Workshop

PROOF_SECONDS = 10.0
"""For each mutant that is kept."""
LAUNCH_SIZE = "gridDim.x * blockDim.x"
_GUARDS = re.compile(
    rb"#pragma omp (?:atomic|critical|barrier|ordered)[^\n]*"
    rb"|(?<=[\s)])(?:reduction|private|firstprivate|lastprivate)\([^()]*\)"
)


@dataclass(slots=True)
class Tally:
    """What was seen so far."""

    references: int = 0
    kept: int = 0
    missed: list[str] = field(default_factory=list)
    mutants: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    accepted: list[str] = field(default_factory=list)
    equal: int = 0
    proved: int = 0
    """Mutants kept that z3 shows to agree with the source."""
    learnt: list[float] = field(default_factory=list)
    """Seconds that the contracts of functions took."""
    judged: list[float] = field(default_factory=list)
    """Seconds that the verdicts on references took."""
    tested: list[float] = field(default_factory=list)
    hardened: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    survivors: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A kernel, what calls of it must respect, and a translation that should be right."""

    name: str
    source: Source
    unit: Unit
    contracts: tuple[Contract, ...]
    candidate: Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A fault in one of the texts that a candidate consists of."""

    part: int
    mutation: Mutation


def main() -> None:
    """Print a line for every reference refused and every mutant kept, then the totals."""
    arguments = parse()
    options = PortOptions(cache=arguments.cache)
    tally = Tally()
    for subject in subjects(arguments, options, tally):
        judge_subject(subject, options, tally, arguments.mutants)
    report(tally)


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=("babeltower", "functions", "programs"))
    parser.add_argument("inputs", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1, help="Take every Nth item.")
    parser.add_argument("--skip", type=int, default=0, help="Leave out the first N items.")
    parser.add_argument("--mutants", type=int, default=60, help="Of one reference at most.")
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    return parser.parse_args()


def subjects(arguments: argparse.Namespace, options: PortOptions, tally: Tally) -> Iterator[Subject]:
    """Yield the kernels with their references."""
    for path in arguments.inputs:
        if arguments.kind == "programs":
            yield from of_program(path, options)
            continue
        items = [json.loads(line) for line in path.read_text().splitlines()][
            arguments.skip :: arguments.every
        ]
        for item in items:
            make = of_function if arguments.kind == "functions" else of_item
            yield from make(item, options, tally)


def of_item(item: dict[str, Any], options: PortOptions, tally: Tally) -> Iterator[Subject]:
    """Yield the kernel of one item with the item's reference as its candidate."""
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "kernel.cu").write_text(item["source"] + "\n")
        source = pipeline.read(Path(scratch), options)
        for unit, contracts in known(source, options, tally):
            binding = bound(item, contracts[0])
            if binding is None:
                print(f"{item['id']}: the reference takes other arguments", flush=True)
                continue
            replacement = Replacement(unit=unit.id, text=item["reference"].encode())
            candidate = Candidate(
                unit=unit.id, replacements=(replacement,), binding=binding, headers=("<cmath>", "<cstdlib>")
            )
            yield Subject(name=item["id"], source=source, unit=unit, contracts=contracts, candidate=candidate)


def of_function(item: dict[str, Any], options: PortOptions, tally: Tally) -> Iterator[Subject]:
    """Yield the C function of one item with the item's CUDA text as its candidate."""
    with tempfile.TemporaryDirectory() as scratch:
        source, unit = functions.read_item(item, Path(scratch))
        if unit.kind is not UnitKind.FUNCTION:
            return
        begun = seconds()
        contracts = infer(pipeline.make_workshop(options), source, [unit])[unit.id]
        if isinstance(contracts, Inconclusive):
            print(f"{item['id']}: no contract: {contracts.reason}", flush=True)
            return
        tally.learnt.append(seconds() - begun)
        candidate = functions.reference(unit, contracts, item)
        yield Subject(name=item["id"], source=source, unit=unit, contracts=contracts, candidate=candidate)


def bound(item: dict[str, Any], contract: Contract) -> Binding | None:
    """Return how a launch becomes a call of the reference: its arguments, then the launch's size."""
    own = [
        f"const_cast<{item.element.spelling} *>({item.name})"
        if item.pointer and item.const and item.element
        else item.name
        for item in contract.signature.parameters
    ]
    head = re.search(rf"\b{re.escape(item['c_entry'])}\s*\(([^)]*)\)", item["reference"])
    count = len([part for part in head[1].split(",") if part.strip()]) if head else -1
    extra = {0: (), 1: (LAUNCH_SIZE,), 2: ("gridDim.x", "blockDim.x")}.get(count - len(own))
    return None if extra is None else Binding(name=item["c_entry"], arguments=(*own, *extra))


def of_program(path: Path, options: PortOptions) -> Iterator[Subject]:
    """Yield the kernels of a program with what the rules make of them; say why others have no translation."""
    source = pipeline.read(path, options)
    workshop = pipeline.make_workshop(options)
    program = path.name.removesuffix("-cuda")
    small = tuple(str(word) for word in ARGUMENTS.get(program, []))
    observed = pipeline.record(workshop, source, (("./main", *small),))
    for unit in pipeline.chosen(source, options):
        name = f"{program} {unit.name}"
        refused = refusal_of(source, unit) or translators.foreseen(source, unit, options.target)
        if refused:
            print(f"{name}: no translation: {reason_of(refused)}", flush=True)
            continue
        contracts = infer(workshop, source, [unit], observed=observed, seed=0, corrections={})[unit.id]
        if isinstance(contracts, Inconclusive):
            print(f"{name}: no contract: {reason_of(contracts)}", flush=True)
            continue
        candidate = translators.propose(source, unit, contracts, options.target)
        if isinstance(candidate, Candidate):
            yield Subject(name=name, source=source, unit=unit, contracts=contracts, candidate=candidate)
        else:
            print(f"{name}: no translation: {reason_of(candidate)}", flush=True)


def known(source: Source, options: PortOptions, tally: Tally) -> Iterator[tuple[Unit, tuple[Contract, ...]]]:
    """Yield the kernels whose contracts can be learnt; count what that costs, and the levels they reach."""
    workshop = pipeline.make_workshop(options)
    for unit in pipeline.chosen(source, options):
        if refusal_of(source, unit) or translators.foreseen(source, unit, options.target):
            continue
        begun = seconds()
        contracts = infer(workshop, source, [unit], observed=(), seed=0, corrections={})[unit.id]
        if isinstance(contracts, Inconclusive):
            continue
        candidate = translators.propose(source, unit, contracts, options.target)
        if isinstance(candidate, Candidate):
            proposal = testers.Proposal(unit=unit, contracts=contracts, candidate=candidate)
            [judged] = testers.judge(workshop, source, [proposal], level=Level.TESTED)
            middle = seconds()
            tally.tested.append(middle - begun)
            if isinstance(judged.verdict, Passed):
                [judged] = testers.judge(workshop, source, [proposal], level=Level.HARDENED)
                tally.hardened.append(seconds() - begun)
                note_strength(unit, judged, tally)
        yield unit, contracts


def note_strength(unit: Unit, judged: testers.Judged, tally: Tally) -> None:
    """Keep the mutation score of the trials, and what they do not notice."""
    if isinstance(judged.verdict, Passed) and judged.verdict.guarantee.strength is not None:
        strength = judged.verdict.guarantee.strength
        if strength.score is not None:
            tally.scores.append(strength.score)
        tally.survivors += strength.survivors


def seconds() -> float:
    """Return the processor time of this process and of all that it has waited for."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def judge_subject(subject: Subject, options: PortOptions, tally: Tally, most: int) -> None:
    """Judge a reference; where it is kept, its mutants."""
    workshop = pipeline.make_workshop(options)
    tally.references += 1
    begun = seconds()
    [judged] = testers.judge(workshop, subject.source, [proposal_of(subject)])
    tally.judged.append(seconds() - begun)
    if not isinstance(judged.verdict, Passed):
        line = f"{subject.name}: reference {judged.verdict.kind}: {reason_of(judged.verdict)}"
        tally.missed.append(line)
        print(line, flush=True)
        return
    tally.kept += 1
    mutants = planted(subject, most)
    proposals = [proposal_of(subject, mutant) for mutant in mutants]
    kept: list[tuple[Mutant, testers.Proposal]] = []
    verdicts: Counter[str] = Counter()
    for mutant, proposal, item in zip(
        mutants, proposals, testers.judge(workshop, subject.source, proposals), strict=True
    ):
        verdicts[item.verdict.kind] += 1
        if isinstance(item.verdict, Passed):
            kept.append((mutant, proposal))
    equal = equals(workshop, subject, [proposal for _, proposal in kept])
    for number, (mutant, proposal) in enumerate(kept):
        if number in equal:
            continue
        if agrees(subject, proposal):
            tally.proved += 1
        else:
            line = accepted(subject, mutant)
            tally.accepted.append(line)
            print(line, flush=True)
    tally.mutants += len(mutants)
    tally.verdicts += verdicts
    tally.equal += len(equal)
    print(f"{subject.name}: mutants {len(mutants)}, {dict(verdicts)}, equal {len(equal)}", flush=True)


def planted(subject: Subject, most: int) -> list[Mutant]:
    """Return at most so many faulty texts, chosen from all that the candidate consists of."""
    every = {
        mutation: part
        for part, replacement in enumerate(subject.candidate.replacements)
        for mutation in (*mutations(replacement.text), *undirected(replacement.text))
    }
    return [Mutant(part=every[mutation], mutation=mutation) for mutation in sampled(tuple(every), most)]


def undirected(text: bytes) -> Iterator[Mutation]:
    """Yield the text without one of the directives or clauses that keep OpenMP's threads apart."""
    for found in _GUARDS.finditer(text):
        yield Mutation(
            operator="dropped directive",
            line=text.count(b"\n", 0, found.start()),
            before=found[0].decode(),
            after="",
            text=text[: found.start()] + text[found.end() :],
        )


def equals(workshop: Workshop, subject: Subject, kept: Sequence[testers.Proposal]) -> frozenset[int]:
    """Return the numbers of the mutants that are the reference's own instructions."""
    if not kept:
        return frozenset()
    unit = translation_unit(subject.source, subject.unit.translation_unit)
    every = [proposal_of(subject), *kept]
    with closing(CandidateBench(workshop, subject.source, unit, every)) as bench:
        text = bench.assembly(every, Flavour.SHIPPED)
    if isinstance(text, BuildFailed):
        return frozenset()
    name = subject.candidate.binding.name.rpartition("::")[2]
    return frozenset(number - 1 for number in alike(text, len(every), name) if number)


def agrees(subject: Subject, proposal: testers.Proposal) -> bool:
    """Tell whether z3 shows that a mutant leaves behind what the source does."""
    found = prove(subject.source, proposal, PROOF_SECONDS)
    return isinstance(found, Proof) and Claim.AGREES in found.claims


def proposal_of(subject: Subject, mutant: Mutant | None = None) -> testers.Proposal:
    """Return the reference as a proposal, or with a fault in it."""
    candidate = subject.candidate
    if mutant is not None:
        parts = list(candidate.replacements)
        parts[mutant.part] = replace(parts[mutant.part], text=mutant.mutation.text)
        candidate = replace(candidate, replacements=tuple(parts))
    return testers.Proposal(unit=subject.unit, contracts=subject.contracts, candidate=candidate)


def accepted(subject: Subject, mutant: Mutant) -> str:
    """Return the line that a person reads."""
    mutation = mutant.mutation
    text = subject.candidate.replacements[mutant.part].text
    place = next(
        (at for at, pair in enumerate(zip(text, mutation.text, strict=False)) if pair[0] != pair[1]), 0
    )
    begin, end = text.rfind(b"\n", 0, place) + 1, text.find(b"\n", place)
    around = text[max(begin, place - 70) : min(end if end >= 0 else len(text), place + 70)]
    change = f"{mutation.operator}: `{mutation.before}` becomes `{mutation.after}`"
    shown = around.decode(errors="replace").strip()
    return f"{subject.name}: mutant kept: {change} in line {mutation.line + 1}: `{shown}`"


def report(tally: Tally) -> None:
    """Print the totals."""
    print(f"\nreferences {tally.references}, kept {tally.kept}, refused {len(tally.missed)}")
    print(f"mutants of kept references {tally.mutants}: {dict(tally.verdicts)}")
    shown = f"{tally.equal} of the same instructions, {tally.proved} shown by z3 to agree with the source"
    print(f"mutants kept: {shown}, {len(tally.accepted)} to be read")
    print(f"contracts: {spread_of(tally.learnt)}; references: {spread_of(tally.judged)} (CPU seconds)")
    print(f"tested: {spread_of(tally.tested)}; hardened: {spread_of(tally.hardened)} (CPU seconds a unit)")
    print(f"mutation score of the trials: {spread_of(tally.scores)}; survivors {len(tally.survivors)}")
    for line in tally.survivors:
        print(f"  {line}")


def spread_of(numbers: Sequence[float]) -> str:
    """Return median and extremes."""
    if not numbers:
        return "none"
    middle = statistics.median(numbers)
    return f"median {middle:.2f}, {min(numbers):.2f} to {max(numbers):.2f}, {len(numbers)} units"


if __name__ == "__main__":
    main()
