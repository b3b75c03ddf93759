"""Learn the contracts of all kernels of an item file or of program folders, and count what was found.

    python benchmarks/contracts.py PATH [--limit N] [--cache DIR] [--show]

PATH is a JSONL file whose items hold a kernel's text under ``source``, a source file, a folder of source
files, or a folder of folders, which are one program each.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from transpile import parsers
from transpile.contracts import infer
from transpile.contracts.user import render
from transpile.core import Contract, Inconclusive, Role, UnitKind
from transpile.toolchains.workshop import Workshop


def main() -> None:
    """Print a line a kernel, then the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="programs or items to look at")
    parser.add_argument("--only", default="", help="a part of the name of what is looked at")
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--show", action="store_true", help="print contracts as transpile.toml takes them")
    arguments = parser.parse_args()
    workshop = Workshop(cache=arguments.cache)
    tally = Tally()
    with tempfile.TemporaryDirectory() as scratch:
        for root in list(roots(arguments.path, Path(scratch)))[: arguments.limit]:
            if arguments.only in root.name:
                learn(workshop, root, tally, show=arguments.show)
    tally.report()


def roots(path: Path, scratch: Path) -> Iterator[Path]:
    """Yield what is learnt from: one file an item, or one folder a program."""
    if path.suffix == ".jsonl":
        for number, line in enumerate(path.read_text().splitlines()):
            file = scratch / f"item{number:03}.cu"
            file.write_text(json.loads(line)["source"] + "\n")
            yield file
    elif path.is_dir() and any(child.is_dir() for child in path.iterdir()):
        yield from sorted(child for child in path.iterdir() if child.is_dir())
    elif path.is_dir():
        yield from sorted(path.glob("*.cu"))
    else:
        yield path


class Tally:
    """What was found so far."""

    def __init__(self) -> None:
        self.kernels = 0
        self.laws: Counter[str] = Counter()
        self.roles: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.seconds = 0.0

    def add(self, contract: Contract) -> None:
        """Count one contract."""
        self.laws[contract.law.kind if contract.law else "none"] += 1
        self.roles.update(fact.role.value for fact in contract.arrays)

    def report(self) -> None:
        """Print the totals."""
        mean = 1000 * self.seconds / max(self.kernels, 1)
        known = sum(self.laws.values())
        fitted = sum(count for role, count in self.roles.items() if role != Role.UNUSED.value)
        print(f"\n{self.kernels} kernels, {known} with a contract; {mean:.0f} ms each")
        print("laws:", ", ".join(f"{count} {law}" for law, count in self.laws.most_common()))
        print(
            f"extents fitted: {fitted};", ", ".join(f"{count} {role}" for role, count in self.roles.items())
        )
        for reason, count in self.reasons.most_common():
            print(f"{count:4} {reason}")


def learn(workshop: Workshop, root: Path, tally: Tally, *, show: bool) -> None:
    source = parsers.read(root)
    kernels = [unit for unit in source.units if unit.kind is UnitKind.KERNEL and unit.active]
    begun = time.monotonic()
    found = infer(workshop, source, kernels)
    spent = time.monotonic() - begun
    tally.seconds += spent
    for unit in kernels:
        tally.kernels += 1
        known = found[unit.id]
        name = f"{root.name}: {unit.name}"
        if isinstance(known, Inconclusive):
            tally.reasons[known.reason.split(":")[0][:60]] += 1
            print(f"-- {name}: {known.reason}")
            continue
        for contract in known:
            tally.add(contract)
            print(f"ok {name}" if show else f"ok {name}: {summary(contract)}")
            if show:
                print(render(contract, unit.id))
    print(f"   {root.name}: {1000 * spent:.0f} ms", flush=True)


def summary(contract: Contract) -> str:
    arrays = ", ".join(
        f"{fact.name}[{fact.extent}{f' before {fact.before}' if fact.before != '0' else ''}]"
        f" {fact.role.value}"
        f"{' atomic' if fact.atomic else ''}{' distinct' if fact.distinct else ''}"
        f"{' ascending' if fact.ascending else ''}"
        f"{f' {fact.values.low}..{fact.values.high}' if fact.values else ''}"
        for fact in contract.arrays
    )
    scalars = ", ".join(
        f"{fact.name} {fact.values.low}..{fact.values.high}{' size' if fact.size else ''}"
        for fact in contract.scalars
    )
    relations = " ".join(f"({relation})" for relation in contract.relations)
    return f"{contract.law} {relations}; {arrays}; {scalars}"


if __name__ == "__main__":
    main()
