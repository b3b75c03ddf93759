"""Judge the CUDA references of a C-to-CUDA item file as candidates for its C functions.

    python benchmarks/functions.py ITEMS.jsonl [--limit N] [--only TEXT] [--jobs N] [--cache DIR]

For each item: the contract of the C function, then the verdict on the item's own CUDA text (kernel and host
wrapper) in its place. The calls of the C function in the item's unit tests stand beside it in a file of their
own, as a repository's tests would: they tell how long callers make the arrays, and nothing else is read of
them. What is not kept is either a contract that was not found, a reference that does not behave like its
source, or a false reject: the reasons tell which.
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
from threading import Lock
from typing import Any

from contracts import summary

from transpile import parsers
from transpile.contracts import infer
from transpile.core import (
    CUDA,
    Binding,
    Candidate,
    Contract,
    Falsified,
    Inconclusive,
    Passed,
    Rejected,
    Replacement,
    Source,
    Unit,
    UnitKind,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

PREAMBLE = "".join(
    f"#include <{name}.h>\n" for name in ("math", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string")
)
EXTREMES = {"min": "<", "max": ">"}
"""Macros that projects in C define for themselves, where they use them."""
_READING = Lock()
"""libclang parses for one at a time."""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[^\n]*", re.MULTILINE)
_FUNCTION = re.compile(r"(\w+)\s*\([^(){};]*\)\s*\{")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What became of one item."""

    item: str
    contracts: tuple[Contract, ...] | Inconclusive
    verdict: Verdict | None
    seconds: float


def main() -> None:
    """Print a line an item, then the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("items", type=Path)
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--only", default="", help="a part of the items' names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    arguments = parser.parse_args()
    items = [json.loads(line) for line in arguments.items.read_text().splitlines()][: arguments.limit]
    workshop = Workshop(cache=arguments.cache)
    scores: list[Score] = []
    with (
        tempfile.TemporaryDirectory() as scratch,
        ThreadPoolExecutor(max_workers=arguments.jobs) as pool,
    ):
        chosen = [item for item in items if arguments.only in item["id"]]
        for one in pool.map(lambda item: score(workshop, Path(scratch), item), chosen):
            scores.append(one)
            print(line(one), flush=True)
    report(scores)


def score(workshop: Workshop, scratch: Path, item: dict[str, Any]) -> Score:
    """Learn the contract of an item's function and judge its reference."""
    name = "-".join(item["id"].split("-")[:2])
    root = scratch / name
    root.mkdir()
    source, unit = read_item(item, root)
    begun = time.monotonic()
    if unit.kind is not UnitKind.FUNCTION:
        why = Inconclusive(reason="the function prints or reads: it is glue", code="TP421")
        return Score(item=name, contracts=why, verdict=None, seconds=0.0)
    known = infer(workshop, source, [unit])[unit.id]
    verdict = None if isinstance(known, Inconclusive) else judged(workshop, source, unit, known, item)
    return Score(item=name, contracts=known, verdict=verdict, seconds=time.monotonic() - begun)


def read_item(item: dict[str, Any], root: Path, *, calls: bool = True) -> tuple[Source, Unit]:
    """Write an item's C text into a directory, and return it as a source with the unit that is meant."""
    defined = "".join(
        f"#define {name}(a, b) ((a) {sign} (b) ? (a) : (b))\n"
        for name, sign in EXTREMES.items()
        if re.search(rf"\b{name}\s*\(", item["source"])
    )
    (root / "item.c").write_text(PREAMBLE + defined + item["source"] + "\n")
    if calls:
        (root / "callers.cpp").write_text(callers(item))
    with _READING:
        source = parsers.read(root)
    return source, next(unit for unit in source.units if unit.name == item["c_entry"])


def callers(item: dict[str, Any]) -> str:
    """Return a file of functions that call the item's function as its unit tests do."""
    name = re.escape(item["c_entry"])
    calls = [
        re.sub(rf"\bwrapper\s*\(\s*{name}\s*,?", f"{item['c_entry']}(", test["call"])
        for test in item["source_tests"]
    ]
    bodies = [f"static void call_{number}() {{\n{call}\n}}\n" for number, call in enumerate(calls)]
    header = re.search(rf"[^;{{}}]*\b{name}\s*\([^;{{}}]*\)(?=\s*\{{)", item["source"])
    declared = f'extern "C" {header[0]};\n' if header else ""
    return PREAMBLE + declared + "".join(bodies)


def judged(
    workshop: Workshop, source: Source, unit: Unit, contracts: tuple[Contract, ...], item: dict[str, Any]
) -> Verdict:
    """Return the verdict on the item's own CUDA text."""
    candidate = reference(unit, contracts, item)
    [result] = judge(workshop, source, [Proposal(unit=unit, contracts=contracts, candidate=candidate)])
    return result.verdict


def reference(unit: Unit, contracts: tuple[Contract, ...], item: dict[str, Any]) -> Candidate:
    """Return the item's own CUDA text as a candidate for its C function."""
    wrapper = _COMMENT.sub(" ", item["cuda_wrapper"])
    names = [name for name in _FUNCTION.findall(wrapper) if name not in ("if", "for", "while", "main")]
    # The usual headers stand in front of the source; within it there is no place for others.
    text = _INCLUDE.sub("", "\n".join((item["reference"], wrapper)))
    return Candidate(
        unit=unit.id,
        dialect=CUDA,
        replacements=(Replacement(unit=unit.id, text=text.encode()),),
        binding=Binding(
            name=names[-1], arguments=tuple(part.name for part in contracts[0].signature.parameters)
        ),
        headers=("<iostream>", "<vector>", "<algorithm>"),
    )


def line(one: Score) -> str:
    """Return what is printed of an item."""
    shown = f"{one.item} {one.seconds:5.1f} s"
    if isinstance(one.contracts, Inconclusive):
        return f"{shown} no contract: {one.contracts.reason}"
    facts = "; ".join(summary(contract) for contract in one.contracts)
    match one.verdict:
        case Passed(guarantee=guarantee):
            return f"{shown} kept, {guarantee.trials} trials: {facts}"
        case Falsified(counterexample=example):
            trial = dict(example.trial.scalars)
            found = f"{example.where} is {example.got}, not {example.expected}, {trial} {example.trial.fill}"
            return f"{shown} falsified by {example.check}: {found}: {facts}"
        case Rejected(stage=stage, diagnostics=found_here):
            reasons = "; ".join(item.message for item in found_here)
            return f"{shown} rejected at {stage}: {reasons}"
        case Inconclusive(reason=reason, code=code):
            return f"{shown} inconclusive {code}: {reason}: {facts}"
        case None:
            return shown


def report(scores: Sequence[Score]) -> None:
    """Print the totals."""
    kinds = Counter("no contract" if one.verdict is None else one.verdict.kind for one in scores)
    learnt = len(scores) - kinds["no contract"]
    spent = sorted(one.seconds for one in scores)
    print(f"\n{len(scores)} items, {learnt} with a contract, {kinds['passed']} references kept")
    print(dict(kinds))
    print(f"{spent[len(spent) // 2]:.1f} s at the median" if spent else "nothing was judged")


if __name__ == "__main__":
    main()
