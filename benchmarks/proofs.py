"""Port every kernel of an item file, and count apart what trials keep and what is proved of it.

    python benchmarks/proofs.py ITEMS.jsonl [--limit N] [--jobs N] [--cache DIR] [--seconds S]

Two numbers are never one: `kept` rests on trials, `proved` on z3 under the assumptions that each proof lists.
What is not proved is counted by its reason.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from babeltower import judge_all, short

from transpile import pipeline
from transpile.core import Claim, Evidence, Level, Proof, Source
from transpile.options import PortOptions
from transpile.testers.proposal import Proposal
from transpile.testers.prove import Unproved, prove


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A kept translation, and what became of its proof."""

    item: str
    found: Proof | Unproved
    seconds: float


def main() -> None:
    """Print both numbers, the assumptions that proofs rest on, and why the rest is not proved."""
    arguments = parse()
    items = [json.loads(line) for line in arguments.items.read_text().splitlines()][: arguments.limit]
    options = PortOptions(cache=arguments.cache, jobs=arguments.jobs, prove=0.0)
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for item in items:
            (root / f"{short(item)}.cu").write_text(item["source"] + "\n")
        evidence = judge_all(root, options)
        kept = {name: item for name, item in evidence.items() if item.kept(Level.TESTED)}
        source = pipeline.read(root, options)
        tried = [try_one(source, name, item, arguments.seconds) for name, item in sorted(kept.items())]
    report(tried, units=len(evidence), verbose=arguments.verbose)


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", type=Path)
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--seconds", type=float, default=2.0, help="time for the proofs of one unit")
    parser.add_argument("--verbose", action="store_true", help="a line for each item")
    return parser.parse_args()


def try_one(source: Source, name: str, evidence: Evidence, seconds: float) -> Tried:
    candidate = evidence.candidate
    assert candidate is not None
    proposal = Proposal(unit=source.unit(evidence.unit.id), contracts=evidence.contracts, candidate=candidate)
    begun = time.monotonic()
    found = prove(source, proposal, seconds)
    return Tried(item=name, found=found, seconds=time.monotonic() - begun)


def report(tried: Sequence[Tried], *, units: int, verbose: bool) -> None:
    proofs = [one.found for one in tried if isinstance(one.found, Proof)]
    print(f"units {units}, kept by trials {len(tried)}")
    print("of these, proved:")
    for claim in Claim:
        print(f"  {claim:10} {sum(claim in proof.claims for proof in proofs):5}")
    seconds = [one.seconds for one in tried] or [0.0]
    print(f"seconds a unit: median {statistics.median(seconds):.2f}, most {max(seconds):.2f}")
    table("assumptions, by the proofs that list them", (text for one in proofs for text in one.assumptions))
    for claim in Claim:
        table(f"{claim} not proved, by reason", (why[claim] for why in map(reasons, tried) if claim in why))
    for one in tried if verbose else ():
        claims = one.found.claims if isinstance(one.found, Proof) else ()
        print(f"{one.item}: {', '.join(claims) or 'nothing'} {reasons(one) or ''}")


def reasons(one: Tried) -> dict[Claim, str]:
    """Return why claims were not proved."""
    return dict(one.found.unproved if isinstance(one.found, Proof) else one.found.reasons)


def table(title: str, texts: Iterable[str]) -> None:
    counted = Counter(texts)
    print(f"\n{title}:")
    for text, count in counted.most_common():
        print(f"  {count:5}  {text}")


if __name__ == "__main__":
    main()
