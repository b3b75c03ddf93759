"""Port every kernel of a CUDA-to-C item file, and run the file's own tests on what is kept.

    python benchmarks/babeltower.py ITEMS.jsonl [--to openmp|cpp] [--only TEXT] [--skip ID ...] [--limit N]
                                    [--jobs N] [--cache DIR] [--bleu]

The product sees the kernel's text only. The tests are used afterwards, to count how many of the kept
translations print what the file expects; those that differ are listed with both outputs. An item whose
tests call something else than what its kernel computes is left out by `--skip`. Where a translation takes the
launch as parameters and a test does not pass it, it is the launch of the item's own wrapper in CUDA.

`--bleu` prints how alike kept translations and references look, as tables of published results do, in BLEU
and CodeBLEU, for which it makes an environment under the cache.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transpile import pipeline
from transpile.core import (
    CPP,
    OPENMP,
    Candidate,
    Evidence,
    Falsified,
    Inconclusive,
    Level,
    Passed,
    Rejected,
)
from transpile.eval import likeness
from transpile.eval.babeltower import called, fold, run_call
from transpile.eval.items import Written
from transpile.eval.programs import Printed
from transpile.options import PortOptions, Silent
from transpile.stages import Work
from transpile.toolchains.workshop import Workshop

TARGETS = {"openmp": OPENMP, "cpp": CPP}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What became of one item."""

    item: str
    evidence: Evidence
    passed: int = 0
    tests: int = 0
    """That the file has and that are robust: an item without any counts for nothing."""
    sequential: int = 0
    """Tests in which nothing ran on several threads: they say nothing of a parallel form."""
    difference: str = ""


def main() -> None:
    """Print a line per item that is not kept or differs, then the totals."""
    arguments = parse()
    every = [json.loads(line) for line in arguments.items.read_text().splitlines()][: arguments.limit]
    asked = [item for item in every if arguments.only in item["id"]]
    items = [item for item in asked if not item["id"].startswith(tuple(arguments.skip))]
    options = PortOptions(cache=arguments.cache, jobs=arguments.jobs, target=TARGETS[arguments.to])
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for item in items:
            (root / f"{short(item)}.cu").write_text(item["source"] + "\n")
        evidence = judge_all(root, options)
    judged = time.monotonic() - begun
    workshop = pipeline.make_workshop(options)
    scores = [score(workshop, item, evidence[short(item)]) for item in items if short(item) in evidence]
    report(scores, items, judged, arguments.jobs)
    if arguments.bleu:
        report_likeness(pairs(items, evidence), arguments.cache)


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("items", type=Path)
    parser.add_argument("--to", choices=TARGETS, default="openmp")
    parser.add_argument("--only", default="", help="a part of the items' names")
    parser.add_argument("--skip", nargs="*", default=(), help="beginnings of names that are left out")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--bleu", action="store_true", help="Compare texts with the references.")
    return parser.parse_args()


def short(item: dict[str, Any]) -> str:
    """Return the item's number as a file stem."""
    return re.sub(r"[^A-Za-z0-9]", "_", "_".join(item["id"].split("-")[:2]))


def judge_all(root: Path, options: PortOptions) -> dict[str, Evidence]:
    """Return the evidence by file stem; every item is a file, so a translation unit, of its own."""
    source = pipeline.read(root, options)
    units = pipeline.chosen(source, options)
    work = Work(workshop=pipeline.make_workshop(options), source=source, options=options)
    return {Path(item.unit.path).stem: item for item in pipeline.judged_units(work, units, Silent())}


def score(workshop: Workshop, item: dict[str, Any], evidence: Evidence) -> Score:
    """Run the item's robust tests on a kept translation."""
    name = short(item)
    if not evidence.kept(Level.TESTED) or evidence.candidate is None:
        return Score(item=name, evidence=evidence)
    tests = [test for test in item["tests"] if test.get("robust") and "wrapper" in test["call"]]
    passed, sequential, difference = 0, 0, ""
    for test in tests:
        printed = run_test(workshop, evidence, item, test["call"])
        sequential += not printed.several
        if fold(printed.text) == fold(test["stdout"]):
            passed += 1
        else:
            reference = run_call(workshop, item["reference"], item["c_entry"], item["c_entry"], test["call"])
            agrees = fold(reference.text) == fold(test["stdout"])
            own = "prints what is expected" if agrees else "differs here too"
            difference = difference or (
                f"expected {fold(test['stdout'])!r}, got {fold(printed.text)!r};"
                f" the set's own reference {own}"
            )
    return Score(
        item=name,
        evidence=evidence,
        passed=passed,
        tests=len(tests),
        sequential=sequential,
        difference=difference,
    )


def run_test(workshop: Workshop, evidence: Evidence, item: dict[str, Any], call: str) -> Printed:
    """Return what a call prints with the translation in the reference's place."""
    candidate = evidence.candidate
    assert candidate is not None
    signature = evidence.contracts[0].signature
    own = Written(candidate=candidate, signature=signature)
    text, name = called(own.text, candidate, signature, call, item["cuda_wrapper"])
    return run_call(workshop, text, item["c_entry"], name, call)


def written(candidate: Candidate) -> str:
    """Return a translation as one text, callees first."""
    return b"\n".join(replacement.text for replacement in reversed(candidate.replacements)).decode()


def report(scores: Sequence[Score], items: Sequence[dict[str, Any]], seconds: float, jobs: int) -> None:
    """Print what is not kept, what differs, and the totals."""
    reasons: Counter[str] = Counter()
    for one in scores:
        match one.evidence.verdict:
            case Passed():
                if one.passed < one.tests:
                    print(f"{one.item}: kept, {one.passed}/{one.tests} tests: {one.difference}")
            case Falsified(counterexample=example):
                reasons["falsified"] += 1
                print(f"{one.item}: falsified by {example.check} at {example.where}: {example.trial}")
            case Rejected(stage=stage, diagnostics=found):
                reasons[f"rejected at {stage}"] += 1
                print(f"{one.item}: rejected at {stage}: {[f'{d.code} {d.message}' for d in found][:2]}")
            case Inconclusive(reason=reason, code=code):
                reasons[f"inconclusive {code}"] += 1
                print(f"{one.item}: inconclusive {code}: {reason}")
    kept = [one for one in scores if one.evidence.kept(Level.TESTED)]
    comparable = [one for one in kept if one.tests]
    share = len(kept) / max(len(items), 1)
    print(f"\nitems {len(items)}, with a unit {len(scores)}, kept at tested {len(kept)} ({share:.1%})")
    print(f"not kept {dict(reasons)}")
    passing = sum(one.passed == one.tests for one in comparable)
    ran = sum(one.tests - one.sequential for one in comparable)
    without = len(kept) - len(comparable)
    print(f"kept with tests {len(comparable)}, all their tests pass {passing}; kept, no test {without}")
    print(f"of their {sum(one.tests for one in comparable)} tests {ran} ran on several threads")
    print(f"{seconds:.1f} s, {len(scores) / max(seconds, 1e-9) / jobs:.2f} units a second and worker")


def pairs(items: Sequence[dict[str, Any]], evidence: Mapping[str, Evidence]) -> list[tuple[str, str]]:
    """Return kept translations with the references of their items."""
    return [
        (written(found.candidate), item["reference"])
        for item in items
        if (found := evidence.get(short(item))) and found.kept(Level.TESTED) and found.candidate
    ]


def report_likeness(pairs: Sequence[tuple[str, str]], place: Path) -> None:
    """Print how alike texts and their references look; ``place`` takes what CodeBLEU needs."""
    bleu, codebleu = likeness.corpus_bleu(pairs), likeness.corpus_codebleu(pairs, place)
    print(f"BLEU of {len(pairs)} kept {bleu:.2f}, CodeBLEU {codebleu:.2f}")


if __name__ == "__main__":
    main()
