"""Port repositories that nobody here wrote, build each port by its own build system and run its programs.

    python benchmarks/foreign.py CHECKOUTS [--clone] [--only NAME ...] [--to openmp|cuda|hip]
                                 [--jobs N] [--cache DIR] [--out DIR]

CHECKOUTS holds a checkout of each repository of ``foreign.toml`` under the last part of its name; ``--clone``
fetches from GitHub what is missing, and what is missing without it is left out. A line a port says how many
units are kept of those that were judged, what the port's own build said, and which programs print what the
source prints.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from transpile import pipeline
from transpile.cli.arguments import TARGETS
from transpile.core import Dialect, Evidence, Port, UnitKind
from transpile.errors import TranspileError
from transpile.options import PortOptions, Silent

TABLE = Path(__file__).parent / "foreign.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A row of the table."""

    name: str
    folders: tuple[str, ...] = (".",)
    runs: tuple[tuple[str, ...], ...] = ()

    @property
    def checkout(self) -> str:
        """Return the name of its checkout."""
        return self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of one port."""

    name: str
    judged: tuple[Evidence, ...] = ()
    kept: int = 0
    build: str = ""
    """The word of its own build; an error or a crash of ours in its place."""
    programs: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def main() -> None:
    """Print a line a port, then the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--clone", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--to", choices=list(TARGETS), default="openmp")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--out", type=Path, default=Path("build/foreign"))
    arguments = parser.parse_args()
    outcomes = []
    for repository, folder in _ports(arguments):
        outcome = port(repository, folder, arguments)
        outcomes.append(outcome)
        told = ", ".join(f"{kind} {count}" for kind, count in sorted(outcome.programs.items()))
        print(
            f"{outcome.name:60} kept {outcome.kept:3}/{len(outcome.judged):3} {outcome.seconds:6.0f} s"
            f"  build {outcome.build}; programs: {told or 'none'}",
            flush=True,
        )
    total(outcomes)


def _ports(arguments: argparse.Namespace) -> Iterator[tuple[Repository, Path]]:
    """Yield the folders that are there, cloned if that is asked for."""
    for row in tomllib.loads(TABLE.read_text())["repository"]:
        repository = Repository(
            name=row["name"],
            folders=tuple(row.get("folders", (".",))),
            runs=tuple(tuple(run.split()) for run in row.get("runs", ())),
        )
        if arguments.only and repository.name not in arguments.only:
            continue
        checkout = arguments.checkouts / repository.checkout
        if arguments.clone and not checkout.exists():
            address = f"https://github.com/{repository.name}"
            subprocess.run(["git", "clone", "--quiet", "--depth", "1", address, str(checkout)], check=True)
        if not checkout.exists():
            print(f"{repository.name}: no checkout", flush=True)
            continue
        yield from ((repository, (checkout / folder).resolve()) for folder in repository.folders)


def port(repository: Repository, folder: Path, arguments: argparse.Namespace) -> Outcome:
    """Port one folder; a failure of ours is an outcome as well."""
    begun = time.monotonic()
    name = f"{repository.name}/{folder.name}" if len(repository.folders) > 1 else repository.name
    target: Dialect = TARGETS[arguments.to]
    options = PortOptions(
        cache=arguments.cache,
        out=arguments.out / name.replace("/", "-"),
        target=target,
        jobs=arguments.jobs,
        runs=repository.runs,
    )
    try:
        made = pipeline.port(folder, options, Silent())
    except TranspileError as error:
        return Outcome(name=name, build=f"error: {error}", seconds=time.monotonic() - begun)
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return Outcome(name=name, build=f"crash: {error!r}", seconds=time.monotonic() - begun)
    return _outcome(name, made, time.monotonic() - begun)


def _outcome(name: str, made: Port, seconds: float) -> Outcome:
    judged = [item for item in made.evidence if item.unit.kind in (UnitKind.KERNEL, UnitKind.FUNCTION)]
    build = made.own_build.outcome.value
    if made.own_build.serial:
        build += f" ({len(made.own_build.serial)} units serial)"
    return Outcome(
        name=name,
        judged=tuple(judged),
        kept=sum(item.kept(made.required) for item in judged),
        build=build,
        programs=Counter(type(program.verdict).__name__.lower() for program in made.programs),
        seconds=seconds,
    )


def total(outcomes: Sequence[Outcome]) -> None:
    """Print the totals: units, builds, programs."""
    units = sum(len(item.judged) for item in outcomes)
    programs: Counter[str] = sum((item.programs for item in outcomes), Counter())
    print(f"\nports {len(outcomes)}: build {dict(Counter(item.build for item in outcomes))}")
    print(f"units {units}, kept {sum(item.kept for item in outcomes)}; programs {dict(programs)}")


if __name__ == "__main__":
    main()
