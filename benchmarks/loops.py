"""Translate C functions of a C-to-CUDA item file by rules, judge them, and run its tests on what is kept.

    python benchmarks/loops.py ITEMS.jsonl [--to openmp|openmp-target|stdpar|cuda|cuda-device|hip|hip-device]
                               [--only TEXT] [--limit N] [--jobs N] [--cache DIR] [--show] [--bleu]

The product sees the C function alone. The tests are used afterwards, to count how many of the kept
translations print what the file expects, CUDA and HIP on the emulator (HIP at 64 lanes), and how many of them
nvcc or hipcc compiles where it is on the machine. `--bleu` prints how alike the kernels of kept
translations to CUDA and of the references look, as tables of published results do.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babeltower import report_likeness
from functions import read_item

from transpile import translators
from transpile.contracts import infer
from transpile.core import (
    CUDA,
    CUDA_ON_DEVICE,
    HIP,
    HIP_ON_DEVICE,
    OPENMP,
    OPENMP_TARGET,
    STDPAR,
    ByRules,
    Candidate,
    Dialect,
    Falsified,
    Inconclusive,
    Passed,
    Rejected,
    TranslationUnit,
    UnitKind,
)
from transpile.eval.babeltower import fold, run_call
from transpile.report.findings import SEQUENTIAL
from transpile.testers import Proposal, judge
from transpile.toolchains.build import refused_by
from transpile.toolchains.devices import DEVICE_COMPILERS
from transpile.toolchains.workshop import Workshop

TARGETS = {
    "openmp": OPENMP,
    "openmp-target": OPENMP_TARGET,
    "stdpar": STDPAR,
    "cuda": CUDA,
    "cuda-device": CUDA_ON_DEVICE,
    "hip": HIP,
    "hip-device": HIP_ON_DEVICE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What became of one item."""

    item: str
    outcome: str
    """kept, or the kind of verdict that it has."""
    detail: str
    passed: int = 0
    tests: int = 0
    """That the file has and that are robust: an item without any counts for nothing."""
    sequential: int = 0
    """Tests in which nothing ran on several threads: they say nothing of a parallel form."""
    seconds: float = 0.0
    text: str = ""
    """The translation, where it is kept."""
    objection: str = ""
    """What the compiler of devices says against it; empty where it takes it or is not here."""


def main() -> None:
    """Print a line an item, then the totals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("items", type=Path)
    parser.add_argument("--to", choices=TARGETS, default="cuda")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--only", default="", help="a part of the items' names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--show", action="store_true", help="Print what is proposed.")
    parser.add_argument("--bleu", action="store_true", help="Compare kernels with the references.")
    arguments = parser.parse_args()
    items = [json.loads(line) for line in arguments.items.read_text().splitlines()][: arguments.limit]
    chosen = [item for item in items if arguments.only in item["id"]]
    workshop = Workshop(cache=arguments.cache)
    target = TARGETS[arguments.to]
    scores: list[Score] = []
    with (
        tempfile.TemporaryDirectory() as scratch,
        ThreadPoolExecutor(max_workers=arguments.jobs) as pool,
    ):
        for one in pool.map(
            lambda item: score(workshop, Path(scratch), item, target, show=arguments.show), chosen
        ):
            scores.append(one)
            print(line(one), flush=True)
    report(scores, target)
    if arguments.bleu:
        written = {one.item: kernels(one.text) for one in scores if one.outcome == "kept"}
        references = {number(item): item["reference"] for item in chosen}
        report_likeness([(text, references[name]) for name, text in written.items()], arguments.cache)


def line(one: Score) -> str:
    """Return what is printed of an item."""
    return f"{one.item} {one.seconds:5.1f} s {one.outcome} {told(one)} {one.detail}"


def told(one: Score) -> str:
    """Return what the tests of an item say."""
    if one.outcome != "kept":
        return "-"
    if not one.tests:
        return "no test"
    return f"{one.passed}/{one.tests}" + (f" ({one.sequential} sequential)" if one.sequential else "")


def number(item: dict[str, Any]) -> str:
    """Return what an item is called for short."""
    return "-".join(item["id"].split("-")[:2])


def kernels(text: str) -> str:
    """Return what of a translation runs on a device; all of it where nothing does."""
    parts = re.findall(r"^__global__.*?^}", text, re.DOTALL | re.MULTILINE)
    return "\n".join(parts) or text


def score(workshop: Workshop, scratch: Path, item: dict[str, Any], target: Dialect, *, show: bool) -> Score:
    """Learn the contract of an item's function, translate and judge it, and run the tests on what is kept."""
    name = number(item)
    root = scratch / name
    root.mkdir()
    begun = time.monotonic()
    source, unit = read_item(item, root, calls=False)
    if unit.kind is not UnitKind.FUNCTION:
        return Score(item=name, outcome="glue", detail="it prints or reads")
    contracts = infer(workshop, source, [unit])[unit.id]
    if isinstance(contracts, Inconclusive):
        return Score(item=name, outcome="no contract", detail=contracts.reason)
    first = translators.propose(source, unit, contracts, target)
    others = translators.variants(source, unit, contracts, target)
    candidates = [item for item in (first, *others) if isinstance(item, Candidate)]
    if isinstance(first, Rejected) and not candidates:
        why = "; ".join(found.message for found in first.diagnostics)
        return Score(item=name, outcome="refused", detail=why, seconds=time.monotonic() - begun)
    if show:
        print(candidates[-1].replacements[0].shown)
    proposals = [Proposal(unit=unit, contracts=contracts, candidate=item) for item in candidates]
    verdicts = [item.verdict for item in judge(workshop, source, proposals)]
    # As a port does: of those that passed the last, the first where none did.
    judged = list(zip(candidates, verdicts, strict=True))
    passing = [pair for pair in judged if isinstance(pair[1], Passed)]
    proposed, verdict = passing[-1] if passing else judged[0]
    objection, passed, tests, sequential = "", 0, 0, 0
    match verdict:
        case Passed(guarantee=guarantee):
            objection = objected(workshop, proposed)
            passed, tests, sequential, wrong = tested(workshop, item, proposed)
            rules = proposed.origin.rules if isinstance(proposed.origin, ByRules) else ()
            detail = f"{guarantee.trials} trials, {' '.join(rules)}" + (f"; {wrong}" if wrong else "")
            outcome = "kept"
        case Falsified(counterexample=example):
            outcome = "falsified"
            at = dict(example.trial.scalars)
            detail = f"by {example.check}: {example.where} is {example.got}, not {example.expected}, {at}"
        case Rejected(stage=stage, diagnostics=found):
            outcome, detail = "rejected", f"{stage}: {'; '.join(one.message for one in found)}"
        case Inconclusive(reason=reason, code=code):
            outcome, detail = "sequential" if code == SEQUENTIAL else "inconclusive", f"{code}: {reason}"
    return Score(
        item=name,
        outcome=outcome,
        detail=detail,
        passed=passed,
        tests=tests,
        sequential=sequential,
        seconds=time.monotonic() - begun,
        text=proposed.replacements[0].shown,
        objection=objection,
    )


def objected(workshop: Workshop, candidate: Candidate) -> str:
    """Return what the compiler of the devices says against a translation; empty where it takes it."""
    compiler = DEVICE_COMPILERS.get(candidate.dialect.model)
    if compiler is None:
        return ""
    included = "".join(f"#include {header}\n" for header in candidate.headers)
    files = {"t.cu": included.encode() + candidate.replacements[0].text}
    failed = refused_by(workshop, compiler, files, TranslationUnit(path="t.cu"))
    return failed.output.strip() if failed is not None else ""


def tested(workshop: Workshop, item: dict[str, Any], candidate: Candidate) -> tuple[int, int, int, str]:
    """Return how many of the item's tests a translation passes, and of how many.

    Beside these, how many ran nothing on several threads, and the first that it fails.
    """
    text = candidate.replacements[0].shown
    included = "".join(f"#include {header}\n" for header in candidate.headers)
    tests = [test for test in item["source_tests"] if test.get("robust", True)]
    passed, sequential, wrong = 0, 0, ""
    for test in tests:
        printed = run_call(
            workshop,
            included + text,
            item["c_entry"],
            candidate.binding.name,
            test["call"],
            dialect=candidate.dialect,
        )
        sequential += not printed.several
        if fold(printed.text) == fold(test["stdout"]):
            passed += 1
        else:
            wrong = wrong or f"printed {printed.text[:160]!r}, not {test['stdout'][:160]!r}"
    return passed, len(tests), sequential, wrong


def report(scores: Sequence[Score], target: Dialect) -> None:
    """Print the totals."""
    kinds = Counter(one.outcome for one in scores)
    kept = [one for one in scores if one.outcome == "kept"]
    usable = [one for one in kept if one.tests]
    clean = sum(one.passed == one.tests for one in usable)
    tests, sequential = sum(one.tests for one in usable), sum(one.sequential for one in usable)
    print(f"\n{len(scores)} items: {dict(kinds)}")
    print(f"kept {len(kept)} ({len(kept) / max(len(scores), 1):.1%}), no test {len(kept) - len(usable)}")
    print(f"{clean} of {len(usable)} kept with tests pass them all")
    print(f"{sequential} of their {tests} tests ran nothing on several threads")
    none = [one.item for one in usable if one.sequential == one.tests]
    print(f"none of its tests ran the parallel form of {len(none)} kept: {' '.join(none)}")
    compiler = DEVICE_COMPILERS.get(target.model)
    if compiler is not None and compiler.here:
        refused = [one for one in kept if one.objection]
        print(f"{compiler.told} compiles {len(kept) - len(refused)} of them")
        for one in refused:
            print(f"  {one.item}: {one.objection[:300]}")


if __name__ == "__main__":
    main()
