"""Units judged per second and core, cold and warm, and where the time goes.

    python benchmarks/throughput.py SOURCE [--limit N]

Cold: nothing is built. Warm: all builds are in the cache, every verdict is reached anew. Known: the
evidence is in the store. One batch at a time; the compilers that a batch starts may run side by side.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from transpile import pipeline, testers, translators
from transpile.core import Level
from transpile.options import PortOptions, Silent
from transpile.stages import Work
from transpile.toolchains import build, sandbox, worker


class Clock:
    """Adds up the seconds spent in functions, by name."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.seconds: dict[str, float] = {}
        self.calls: dict[str, int] = {}

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time added up."""

        def run(*arguments: Any, **options: Any) -> Any:
            begun = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun
                self.calls[name] = self.calls.get(name, 0) + 1

        return run


@contextmanager
def watched(clock: Clock) -> Iterator[None]:
    """Put the clock around the stages and around every command that builds or runs."""
    places = [
        (pipeline, "infer", "contracts"),
        (translators, "propose", "propose"),
        (testers, "judge", "judge"),
        (build, "_run", "of which compilers"),
        (worker._Batch, "_start", "of which workers"),
    ]
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    for owner, name, label in places:
        setattr(owner, name, clock.timed(label, getattr(owner, name)))
    try:
        yield
    finally:
        for owner, name, function in kept:
            setattr(owner, name, function)


def main() -> None:
    """Print a table of the three states."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--limit", type=int, default=24)
    arguments = parser.parse_args()
    sandbox.layers()
    with tempfile.TemporaryDirectory() as scratch:
        cache = Path(scratch)
        measure("cold", arguments, PortOptions(cache=cache, seed=0))
        measure("known", arguments, PortOptions(cache=cache, seed=0))
        (cache / "evidence").rename(cache / "evidence-of-the-cold-run")
        measure("warm", arguments, PortOptions(cache=cache, seed=0))


def measure(state: str, arguments: argparse.Namespace, options: PortOptions) -> None:
    """Judge the units once and print a row."""
    clock = Clock()
    begun = time.perf_counter()
    source = pipeline.read(arguments.source, options)
    parsed = time.perf_counter()
    units = pipeline.chosen(source, options)[: arguments.limit]
    work = Work(workshop=pipeline.make_workshop(options), source=source, options=options)
    with watched(clock):
        found = list(pipeline.judged_units(work, units, Silent()))
    seconds = time.perf_counter() - parsed
    kept = sum(item.kept(Level.TESTED) for item in found)
    print(
        f"{state:6} parse {parsed - begun:5.1f} s   {len(found)} units, {kept} kept, {seconds:6.1f} s,"
        f" {len(found) / seconds:6.2f} units a second"
    )
    for name, spent in clock.seconds.items():
        print(f"       {name:18} {spent:6.1f} s in {clock.calls[name]} calls")


if __name__ == "__main__":
    main()
