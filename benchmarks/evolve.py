"""Rounds of `transpile evolve` over an item file, and the file's own tests on what is kept.

    python benchmarks/evolve.py ITEMS.jsonl --out DIR [--units 30] [--rounds 2] [--samples 3] [--model MODEL]

Without --model both sides are scripted. The Translator's right answers are what the rules make of a kernel,
its wrong ones have a fault planted in them, and some are prose or cut off. The Tester's tests are made from
the contract, and some break it. With --model, such as `small`, that model plays both sides.

The product sees the kernels' text only. Afterwards every test that was admitted is run on its source once
more, and every translation that is kept is run on the file's own tests.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babeltower import short

from transpile import pipeline, translators
from transpile.core import OPENMP, ByModel, Candidate, Contract, Trial
from transpile.eval.babeltower import fold, run_call
from transpile.evolution.corpus import Member, Unasked, entries, learnt
from transpile.evolution.evolve import Evolution, EvolveOptions, evolve
from transpile.evolution.metrics import Metrics
from transpile.evolution.records import Chronicle, UnitRound
from transpile.evolution.training import Models
from transpile.options import ModelOptions, PortOptions
from transpile.report.findings import reason_of
from transpile.testers.mutation.mutants import as_proposal, control_of
from transpile.testers.mutation.operators import mutations
from transpile.testers.oracle.validity import Reference
from transpile.testers.trials.generate import Plan, generate
from transpile.testers.verdict.session import CALL_SECONDS, JudgingSession, translation_unit
from transpile.toolchains.workshop import Workshop
from transpile.translators.llm import candidates_of
from transpile.translators.llm.form import form_of

PROSE = "Certainly! Here is how one would think about this kernel: each thread handles one element."


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """An item with its unit, and an answer that is right as far as rules know."""

    item: dict[str, Any]
    member: Member
    answer: str


def main() -> None:
    """Choose units, play the rounds, and check what came of them."""
    arguments = parse()
    items = [json.loads(line) for line in arguments.items.read_text().splitlines()]
    options = PortOptions(
        cache=arguments.cache.absolute(),
        jobs=arguments.jobs,
        prove=0,
        models=ModelOptions(samples=arguments.samples, answer_tokens=arguments.tokens),
    )
    arguments.out.mkdir(parents=True, exist_ok=True)
    chosen = choose(items, arguments.units, options, arguments.out)
    corpus = arguments.out / "corpus"
    lay_out([one.item for one in chosen], corpus)
    models = Models(translator=(arguments.model,), tester=(arguments.model,))
    if not arguments.model:
        models = Models(
            translator=(script(arguments.out / "translator.jsonl", translations(chosen, arguments)),),
            tester=(script(arguments.out / "tester.jsonl", tests(chosen, arguments.rounds)),),
        )
    rounds = arguments.out / "rounds"
    result = evolve(
        EvolveOptions(
            corpus=corpus.absolute(), out=rounds, rounds=arguments.rounds, models=models, port=options
        ),
        Printer(),
    )
    report(result, chosen, options, Chronicle(rounds), arguments.rounds)


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("items", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", default="")
    for name, number in (("units", 30), ("rounds", 2), ("samples", 3), ("jobs", 2), ("tokens", 256)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    return parser.parse_args()


def lay_out(items: Sequence[dict[str, Any]], corpus: Path) -> None:
    """Write every item as a repository of its own."""
    for item in items:
        (corpus / short(item)).mkdir(parents=True, exist_ok=True)
        (corpus / short(item) / "kernel.cu").write_text(item["source"] + "\n")


def choose(items: Sequence[dict[str, Any]], wanted: int, options: PortOptions, out: Path) -> list[Chosen]:
    """Return the first items with a contract and a translation by rules that has the form asked for."""
    found: list[Chosen] = []
    names: set[str] = set()
    for start in range(0, len(items), wanted):
        part = {short(item): item for item in items[start : start + wanted]}
        scratch = out / "choosing" / str(start)
        lay_out(list(part.values()), scratch)
        known = learnt(list(entries(scratch.absolute(), options)), Chronicle(out / "choosing"), options.jobs)
        for member in known:
            if isinstance(member, Unasked) or member.unit.name in names:
                continue
            answer = by_rules(member)
            if answer:
                names.add(member.unit.name)
                found.append(Chosen(item=part[member.entry], member=member, answer=answer))
            if len(found) == wanted:
                shutil.rmtree(out / "choosing")
                return found
    shutil.rmtree(out / "choosing")
    return found


def by_rules(member: Member) -> str:
    """Return the rules' translation as a model would answer; empty where it has another form."""
    source, unit, contracts = member.work.source, member.unit, member.contracts
    proposed = translators.propose(source, unit, contracts, OPENMP)
    form = form_of(unit, contracts, OPENMP)
    if form is None or not isinstance(proposed, Candidate):
        return ""
    headers = "".join(f"#include {header}\n" for header in proposed.headers)
    texts = "\n".join(item.text.decode("latin-1") for item in reversed(proposed.replacements))
    answer = fenced(headers + texts)
    read = candidates_of(source, unit, form, OPENMP, answer, ByModel())[0]
    fits = isinstance(read, Candidate) and proposed.binding.arguments == form.arguments
    return answer if fits else ""


def fenced(code: str) -> str:
    """Return code as a model writes it."""
    return f"```cpp\n{code.strip()}\n```\n"


def translations(chosen: Sequence[Chosen], arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the Translator's lines: faulty answers, prose, half an answer, and sometime the right one."""
    count = arguments.rounds * arguments.samples
    for number, one in enumerate(chosen):
        code = re.sub(r"^```cpp\n|\n```\n$", "", one.answer)
        faulty = [item.text.decode("latin-1") for item in mutations(code.encode("latin-1"))]
        step = max(len(faulty) // count, 1)
        answers: list[str | dict[str, Any]] = [fenced(text) for text in faulty[number % step :: step]]
        answers = (answers + [PROSE] * count)[:count]
        answers[number % count] = PROSE
        answers[(number + 1) % count] = {"text": one.answer[: len(one.answer) // 2], "finish": "length"}
        answers[(number + 2) % count] = one.answer
        yield {"pattern": re.escape(f"`{one.member.unit.name}`"), "answers": answers}


def tests(chosen: Sequence[Chosen], rounds: int) -> Iterator[dict[str, Any]]:
    """Yield the Tester's lines: tests made from the contract, and some that break it."""
    for number, one in enumerate(chosen):
        contract = one.member.contracts[0]
        answers = [
            json.dumps({"tests": [*valid(contract, 100 * number + turn), *broken(contract)]})
            for turn in range(rounds)
        ]
        yield {"pattern": rf"\b{re.escape(one.member.unit.name)}\s*\(", "answers": answers}


def valid(contract: Contract, seed: int) -> Iterator[dict[str, Any]]:
    """Yield tests that keep to the contract as far as their scalars go, with unusual elements."""
    patterns = ([0], [7, -3, 0, 12345], [1, 1, 2, 2, 3], [-1, 1000003])
    trials = generate(contract, Plan(seed=seed + 10**6, count=12))
    for trial, elements in zip(trials[4:8], patterns, strict=False):
        yield {
            "scalars": dict(trial.scalars),
            "arrays": {fact.name: elements for fact in contract.arrays},
            "grid": list(trial.launch.grid),
            "block": list(trial.launch.block),
            "expected": {fact.name: [42] for fact in contract.arrays},
        }


def broken(contract: Contract) -> Iterator[dict[str, Any]]:
    """Yield tests that no call may be like."""
    yield {"scalars": {fact.name: -(10**9) for fact in contract.scalars}, "arrays": {"nobody": [1]}}
    yield {"scalars": {}, "arrays": {"nobody": [1]}, "grid": [1, 1, 1], "block": [4096, 4096, 4096]}


def script(path: Path, lines: Iterator[dict[str, Any]]) -> str:
    """Write a script, and return the model that plays it."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"scripted:{path.absolute()}"


class Printer:
    """Says what is going on."""

    def stage(self, name: str, total: int) -> None:
        """Begin a stage."""
        print(f"-- {name}: {total}", flush=True)

    def unasked(self, unit: Unasked) -> None:
        """Say why nobody is asked."""
        print(f"{unit.entry}: not asked: {reason_of(unit.why)}", flush=True)

    def played(self, member: Member, record: UnitRound) -> None:
        """Say what a round gave for a unit."""
        fates = Counter(sample.verdict.kind for sample in record.samples)
        tests = Counter(
            "admitted" if t.trial else "useless" if t.valid else "invalid" for t in record.tests.written
        )
        print(
            f"{member.entry}: kept {len(record.standing)}, answers {dict(fates)}, tests {dict(tests)}"
            f" ({record.seconds:.0f} s)",
            flush=True,
        )

    def closed(self, found: Metrics) -> None:
        """Say what a round gave."""
        print(found, flush=True)


def report(
    result: Evolution, chosen: Sequence[Chosen], options: PortOptions, chronicle: Chronicle, rounds: int
) -> None:
    """Print the totals, and whatever should not be."""
    workshop = pipeline.make_workshop(options)
    histories = {one.member.key: histories_of(one, chronicle, rounds) for one in chosen}
    records = [record for past in histories.values() for record in past]
    fates = Counter(sample.verdict.kind for record in records for sample in record.samples)
    written = [test for record in records for test in record.tests.written]
    admitted = accepted = kept = right = comparable = 0
    for one in chosen:
        past = histories[one.member.key]
        if not past:
            continue
        trials = past[-1].known
        admitted += len(trials)
        accepted += sum(isinstance(item, Reference) for item in examined(workshop, one.member, trials))
        for standing in past[-1].standing:
            kept += 1
            passed, of, difference = scored(workshop, standing.candidate, one.item)
            comparable += bool(of)
            right += bool(of) and passed == of
            if passed < of:
                print(f"{short(one.item)}: kept, {passed}/{of} of the set's tests: {difference}")
    print(f"\nunits {len(chosen)}, rounds {len(result.rounds)}, complete {result.complete}")
    print(f"answers {sum(fates.values())}: {dict(fates)}")
    print(f"candidates in matrices {sum(item.candidates for item in result.rounds)}")
    print(f"tests written {len(written)}, the source takes {sum(test.valid for test in written)}")
    print(f"tests admitted {admitted}, taken by the source when run again {accepted}")
    units = sum(bool(past and past[-1].standing) for past in histories.values())
    print(
        f"units kept {units}, translations kept {kept}, with tests of the set {comparable}, all pass {right}"
    )
    print(f"kept before and refuted by a later test {sum(len(record.fallen) for record in records)}")
    for figures in result.rounds:
        print(figures)


def histories_of(one: Chosen, chronicle: Chronicle, rounds: int) -> list[UnitRound]:
    """Return what each round gave for a unit of the final corpus."""
    found = (chronicle.find(number, one.member.key) for number in range(1, rounds + 1))
    return [record for record in found if record is not None]


def examined(workshop: Workshop, member: Member, trials: Sequence[Trial]) -> Sequence[object]:
    """Return what the source does on trials, in a process and a build of its own."""
    if not trials:
        return ()
    source, unit = member.work.source, member.unit
    proposal = as_proposal(unit, member.contracts, control_of(source, unit))
    compiled = translation_unit(source, unit.translation_unit)
    quick = Workshop(cache=workshop.cache, timeout=CALL_SECONDS)
    found: list[object] = []
    with closing(JudgingSession(quick, source, compiled, [proposal])) as session:
        for contract in member.contracts:
            form = contract.signature.form
            own = [trial for trial in trials if trial.template_arguments == form]
            results = session.baseline(unit, contract).examiner.examine(own)
            found += results if isinstance(results, list) else []
    return found


def scored(workshop: Workshop, candidate: Candidate, item: dict[str, Any]) -> tuple[int, int, str]:
    """Return how many of the item's own tests a translation passes, of how many, and the first difference.

    Tests count on which the item's own reference prints what the item expects, and that can be called: some
    references take other parameters than their kernel.
    """
    headers = "".join(f"#include {header}\n" for header in candidate.headers)
    text = headers + b"\n".join(part.text for part in reversed(candidate.replacements)).decode()
    passed, of, difference = 0, 0, ""
    for test in item["tests"]:
        if not test.get("robust") or "wrapper" not in test["call"]:
            continue
        expected = fold(test["stdout"])
        entry = item["c_entry"]
        if fold(run_call(workshop, item["reference"], entry, entry, test["call"]).text) != expected:
            continue
        printed = run_call(workshop, text, entry, candidate.binding.name, test["call"]).text
        if printed.startswith("does not build"):
            continue
        of += 1
        passed += fold(printed) == expected
        if fold(printed) != expected:
            difference = difference or f"expected {expected!r}, got {fold(printed)!r}"
    return passed, of, difference


if __name__ == "__main__":
    main()
