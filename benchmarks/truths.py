"""Compare contracts and ports with what is known of generated functions.

    python benchmarks/truths.py [--count N] [--seed N] [--kinds NAME ...] [--calls N] [--jobs N] [--cache DIR]
                                [--contracts] [--copies N] [--show]

The functions are those of ``known/``: how far a call reaches into each array is known, and so is what a valid
call is. The product sees their text alone. Of each contract it is counted whether it is narrower than the
truth for some valid call: an extent, a range of values, a relation; ``open`` counts narrower extents of which
the contract itself says that data decides them. What is kept runs beside its source under
the oracle (``oracle.py``) on valid calls, with arrays exactly as long as the call needs, and longer ones. Of
the ports that are wrong, ``unsaid`` are wrong beyond what they say that they assume of lengths, and in
``results`` more is wrong than that a copy reads beyond an array of the caller's.

``--contracts`` leaves ports out. ``--copies N`` spoils the copies of up to N right ports, one at a time, and
counts the spoilt ones that the oracle refutes and the product keeps.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock

import copies
import known
import numpy as np
import oracle
from known import Known
from narrower import Differences, compare, drawn

from transpile import parsers, translators
from transpile.contracts import infer
from transpile.core import (
    CUDA,
    ByRules,
    Candidate,
    Contract,
    Inconclusive,
    Passed,
    Rejected,
    Source,
    Unit,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

_READING = Lock()
"""libclang parses for one at a time."""


@dataclass(kw_only=True)
class Row:
    """Outcome of one function."""

    function: Known
    source: Source | None = None
    unit: Unit | None = None
    contracts: tuple[Contract, ...] | None = None
    outcome: str = ""
    """kept, refused, or the kind of verdict; ``no contract``."""
    why: str = ""
    differences: Differences = field(default_factory=Differences)
    """Of the contract from the truth."""
    candidate: Candidate | None = None
    """The kept port."""
    wrong: list[str] = field(default_factory=list)
    """Objections of the oracle."""
    worse: bool = False
    """Wrong results, or kernels that leave their memory, and not only copies that read too much."""
    unsaid: bool = False
    """Wrong beyond what the port says that it assumes of the lengths of arrays."""
    valid: int = 0
    launched: int = 0
    """Calls with an effect in which a kernel ran."""

    @property
    def assumed(self) -> list[str]:
        """Return what the port says that it assumes."""
        origin = self.candidate.origin if self.candidate is not None else None
        return (
            [rule for rule in origin.rules if rule.startswith("assumes ")]
            if isinstance(origin, ByRules)
            else []
        )


def main() -> None:
    """Print what is wrong, then a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", default=(), choices=known.KINDS)
    parser.add_argument("--calls", type=int, default=20, help="valid calls of each function")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--contracts", action="store_true", help="Leave ports out.")
    parser.add_argument("--copies", type=int, default=0, help="right ports whose copies are spoilt")
    parser.add_argument("--show", action="store_true", help="Print functions and ports that are wrong.")
    arguments = parser.parse_args()
    begun = time.monotonic()
    workshop = Workshop(cache=arguments.cache)
    functions = known.generate(arguments.count, arguments.seed, arguments.kinds)
    groups = [functions[at : at + 6] for at in range(0, len(functions), 6)]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(arguments.jobs) as pool:
        place = Path(scratch)
        work = partial(examined, workshop, place, calls=arguments.calls, ports=not arguments.contracts)
        for made in pool.map(work, groups):
            for row in made:
                print(told(row, show=arguments.show), flush=True)
            rows += made
        print(f"\n{table(rows)}\n{time.monotonic() - begun:.0f} s")
        if arguments.copies:
            right = [row for row in rows if row.candidate is not None and not row.wrong][: arguments.copies]
            print(spoilt(workshop, place, right, arguments.calls))


def examined(
    workshop: Workshop, place: Path, functions: Sequence[Known], *, calls: int, ports: bool
) -> list[Row]:
    """Return what becomes of functions that share a file."""
    root = place / functions[0].name
    root.mkdir()
    (root / "known.c").write_text(known.source_of(functions))
    with _READING:
        source = parsers.read(root)
    rows = [Row(function=item, source=source) for item in functions]
    try:
        decide(workshop, source, rows, calls, ports=ports)
        refute([row for row in rows if row.candidate is not None], root / "oracle", calls, place)
    except Exception:  # The others are examined all the same.
        for row in rows:
            row.outcome = row.outcome or "failed"
        traceback.print_exc()
    return rows


def decide(workshop: Workshop, source: Source, rows: Sequence[Row], calls: int, *, ports: bool) -> None:
    """Learn contracts and compare them, then translate and judge."""
    units = {unit.name: unit for unit in source.units}
    learnt = infer(workshop, source, [units[row.function.name] for row in rows])
    for row in rows:
        row.unit = units[row.function.name]
        found = learnt[row.unit.id]
        if isinstance(found, Inconclusive):
            row.outcome, row.why = "no contract", f"{found.code}: {found.reason}"
        else:
            row.contracts = found
            row.differences = compare(row.function, found[0], 4 * calls)
    if ports:
        port(workshop, source, rows)


def port(workshop: Workshop, source: Source, rows: Sequence[Row]) -> None:
    """Translate to CUDA and judge; what a port would keep is the row's candidate."""
    proposals: list[tuple[Row, Proposal]] = []
    for row in rows:
        if row.contracts is None or row.unit is None:
            continue
        first = translators.propose(source, row.unit, row.contracts, CUDA)
        others = translators.variants(source, row.unit, row.contracts, CUDA)
        made = [item for item in (first, *others) if isinstance(item, Candidate)]
        if not made:
            row.outcome = "refused"
            found = first.diagnostics if isinstance(first, Rejected) else ()
            row.why = "; ".join(item.message for item in found)
        proposals += [
            (row, Proposal(unit=row.unit, contracts=row.contracts, candidate=item)) for item in made
        ]
    verdicts = judge(workshop, source, [proposal for _, proposal in proposals])
    for (row, proposal), judged in zip(proposals, verdicts, strict=True):
        if isinstance(judged.verdict, Passed):
            row.outcome, row.candidate = "kept", proposal.candidate
        elif row.outcome != "kept":
            row.outcome, row.why = judged.verdict.kind, _reason(judged.verdict)


def _reason(verdict: object) -> str:
    return str(getattr(verdict, "reason", "") or getattr(verdict, "counterexample", "") or verdict)[:300]


def pair_of(function: Known, candidate: Candidate) -> oracle.Pair:
    """Return a function with a port, as the oracle takes them."""
    return oracle.Pair(
        name=function.name,
        source=known.source_of([function]),
        declaration=function.declaration,
        types=function.types,
        port=b"\n".join(item.text for item in reversed(candidate.replacements)).decode(),
        entry=candidate.binding.name,
        headers=candidate.headers,
    )


def calls_of(function: Known, place: int, calls: int) -> list[oracle.Call]:
    """Return valid calls of a function, each with exact arrays and with much longer ones.

    Where a call needs nothing of an array, as where a size is 0, callers still have one: it is longer only.
    """
    found = []
    for number in range(calls):
        arguments = drawn(function, number)
        call = oracle.Call(function=place, arguments=arguments, returned=function.returned, seed=number)
        unneeded = [
            item.name
            for item, value in zip(function.parameters, arguments, strict=True)
            if isinstance(value, np.ndarray) and not len(value) and item.name not in function.unused
        ]
        found += [*([] if unneeded else [call]), oracle.longer(call, np.random.default_rng(number))]
    return found


def refute(rows: Sequence[Row], place: Path, calls: int, shared: Path) -> None:
    """Run what is kept under the oracle, and note what it says."""
    if not rows:
        return
    program = oracle.build([pair_of(row.function, _kept(row)) for row in rows], place, shared=shared)
    failed = dict(program.failed)
    for number, row in enumerate(rows):
        if number in failed:
            row.why = f"the oracle does not build it: {failed[number]}"
            continue
        asked = calls_of(row.function, number, calls)
        for call, found in zip(asked, program.run(asked), strict=True):
            row.valid += found.valid
            row.launched += found.launches > 0
            if found.kind == "source":
                raise RuntimeError(f"{row.function.text}: {found.detail}")
            if found.wrong:
                row.wrong.append(f"{found.kind}: {found.detail}, {shown(row.function, call)}")
                row.unsaid |= not said(row, found.detail)
                row.worse |= "the caller's array" not in found.detail
        row.wrong.sort(key=lambda text: "the caller's array" in text)


def said(row: Row, detail: str) -> bool:
    """Tell whether a copy left an array of the caller's whose length the port says that it assumes."""
    copied = re.search(r"the caller's array \(argument (\d+)\)", detail)
    name = row.function.parameters[int(copied[1])].name if copied else ""
    return any(rule.startswith(f"assumes {name} has ") for rule in row.assumed)


def _kept(row: Row) -> Candidate:
    assert row.candidate is not None
    return row.candidate


def shown(function: Known, call: oracle.Call) -> str:
    """Return a call in short."""
    parts = []
    for item, value in zip(function.parameters, call.arguments, strict=True):
        whole = isinstance(value, np.ndarray)
        text = f"{len(value)} elements" if whole else str(value)
        if whole and value.dtype.kind in "iu" and len(value) < 9:
            text = str(value.tolist())
        parts.append(f"{item.name} {text}")
    return ", ".join(parts)


def told(row: Row, *, show: bool) -> str:
    """Return what is printed of a function."""
    lines = [
        f"{row.function.name} {row.outcome} {row.why if row.outcome != 'kept' or row.why else ''}".strip()
    ]
    lines += [f"    narrower: {text}" for text in row.differences.narrow]
    lines += [f"    narrower, as data decides: {text}" for text in row.differences.open_ended]
    lines += [f"    excludes valid calls: {text}" for text in row.differences.ranges]
    lines += [f"    never reached: {text}" for text in row.differences.wide]
    lines += [f"    {text}" for text in row.assumed]
    if row.wrong:
        lines.append(f"    KEPT BUT WRONG in {len(row.wrong)} of {row.valid} calls: {row.wrong[0]}")
    elif row.candidate is not None and not row.launched:
        lines.append("    kept, but no call ran a kernel")
    if show and row.wrong and row.candidate is not None:
        lines += [row.function.types + row.function.text, row.candidate.replacements[0].shown]
    elif show and (row.differences.narrow or row.differences.wide):
        lines.append(row.function.text)
    return "\n".join(lines)


HEADINGS = (
    "kind",
    "functions",
    "no contract",
    "narrower",
    "open",
    "excludes",
    "wide",
    "proposed",
    "kept",
    "wrong",
    "unsaid",
    "results",
    "idle",
)


def table(rows: Sequence[Row]) -> str:
    """Return the figures of each kind of function, and of all."""
    kinds = [kind for kind in known.KINDS if any(row.function.kind == kind for row in rows)]
    lines = ["| " + " | ".join(HEADINGS) + " |", "|" + "---|" * len(HEADINGS)]
    for kind in (*kinds, "all"):
        chosen = [row for row in rows if kind in (row.function.kind, "all")]
        kept = [row for row in chosen if row.candidate is not None]
        figures = (
            len(chosen),
            sum(row.outcome == "no contract" for row in chosen),
            sum(bool(row.differences.narrow) for row in chosen),
            sum(bool(row.differences.open_ended) for row in chosen),
            sum(bool(row.differences.ranges) for row in chosen),
            sum(bool(row.differences.wide) for row in chosen),
            sum(row.outcome not in ("no contract", "refused", "") for row in chosen),
            len(kept),
            sum(bool(row.wrong) for row in kept),
            sum(row.unsaid for row in kept),
            sum(row.worse for row in kept),
            sum(not row.launched for row in kept),
        )
        lines.append("| " + " | ".join([kind, *map(str, figures)]) + " |")
    return "\n".join(lines)


def spoilt(workshop: Workshop, place: Path, rows: Sequence[Row], calls: int) -> str:
    """Return how many ports with one spoilt copy are kept although the oracle refutes them."""
    counts: Counter[str] = Counter()
    lines = []
    for row in rows:
        candidate = _kept(row)
        versions = copies.spoilt(
            candidate.replacements[0].shown, [item.name for item in row.function.parameters]
        )
        if not versions:
            continue
        candidates = [copies.replaced(candidate, text) for _, text in versions]
        wrong = refuted(row.function, candidates, place, calls)
        left = [pair for number, pair in enumerate(zip(versions, candidates, strict=True)) if number in wrong]
        assert row.unit is not None and row.contracts is not None and row.source is not None
        proposals = [Proposal(unit=row.unit, contracts=row.contracts, candidate=made) for _, made in left]
        for ((name, _), _), judged in zip(left, judge(workshop, row.source, proposals), strict=True):
            kept = isinstance(judged.verdict, Passed)
            counts[f"{name.split(':')[0]}{', kept' if kept else ''}"] += 1
            if kept:
                lines.append(f"{row.function.name}: {name} is kept")
    return "\n".join([*lines, f"spoilt copies that the oracle refutes: {dict(counts)}"])


def refuted(function: Known, candidates: Sequence[Candidate], place: Path, calls: int) -> set[int]:
    """Return which of several ports of one function the oracle says are wrong."""
    pairs = []
    for number, made in enumerate(candidates):
        pair, name = pair_of(function, made), f"{function.name}_as_{number}"
        source, declared = (
            re.sub(rf"\b{function.name}\b", name, text) for text in (pair.source, pair.declaration)
        )
        pairs.append(replace(pair, name=name, source=source, declaration=declared))
    program = oracle.build(pairs, place / f"{function.name}_spoilt", shared=place)
    built = set(range(len(pairs))) - {number for number, _ in program.failed}
    asked = [
        replace(call, function=number) for number in sorted(built) for call in calls_of(function, 0, calls)
    ]
    return {
        call.function
        for call, found in zip(asked, program.run(asked, timeout=3000), strict=True)
        if found.wrong
    }


if __name__ == "__main__":
    main()
