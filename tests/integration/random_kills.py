"""Ports that are killed at random moments and begun again: run this file for many kills of a small program.

A moment is the nth event of a kind, such as the second verdict: none depends on how fast the machine is.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from transpile.files import UNFINISHED
from transpile.store import Store

EVENTS = {
    "command": ("transpile.toolchains.process", "Charges"),
    "contracts": ("transpile.stages.work:Contracts", "save"),
    "judging": ("transpile.testers.verdict.session", "settled"),
    "verdict": ("transpile.store:Store", "save"),
    "file": ("transpile.files", "write_synced"),
    "evidence": ("transpile.store", "write_synced"),
    "port": ("transpile.publish", "_write_file"),
}
"""Functions before and behind whose calls a port is killed, by the kind of the event."""
SOURCES = {
    "a.c": """void twice(float *x, int n) { for (int i = 0; i < n; i++) x[i] = 2 * x[i]; }
void shift(float *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i] + 1; }
void plus(float *x, const float *y, int n) { for (int i = 0; i < n; i++) x[i] += y[i]; }
""",
    "main.c": """#include <stdio.h>
void twice(float *x, int n);
void shift(float *x, int n);
void plus(float *x, const float *y, int n);
int main(void)
{
    float x[4] = {1, 2, 3, 4}, y[4] = {1, 1, 1, 1};
    twice(x, 4);
    shift(x, 4);
    plus(x, y, 4);
    printf("%g\\n", x[3]);
    return 0;
}
""",
    "Makefile": "main: a.c main.c\n\tgcc -O2 -o main a.c main.c\nrun: main\n\t./main\n",
}
UNITS = 3
_OPTIONS = ("--to", "openmp", "--prove", "0", "--no-clocks", "--jobs", "1", "--force")
_TIMES = re.compile(r"\b\d+\.\d\b|Seconds of judging</dt><dd>\d+")
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """A moment at which a port was killed, and what that cost."""

    event: str
    number: int
    stored: int
    """Verdicts on disk then."""
    begun_again: tuple[str, ...]
    """Units that were being judged, with no verdict on disk."""


@dataclass(slots=True)
class Outcome:
    """All kills, and what is wrong."""

    kills: list[Kill] = field(default_factory=list)
    ports: int = 0
    """Those that came to their end."""
    complaints: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Place:
    """The directories of a port that is killed again and again."""

    root: Path

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def source(self) -> Path:
        return self.root / "source"

    @property
    def out(self) -> Path:
        return self.root / "ports" / "out"

    @property
    def journal(self) -> Path:
        return self.root / "journal"

    def begin(self) -> None:
        """Write the program, and have nothing that a port leaves."""
        self.source.mkdir(exist_ok=True)
        for name, text in SOURCES.items():
            (self.source / name).write_text(text)

    def forget(self) -> None:
        """Remove what was decided, not what was built."""
        for path in (self.out.parent, *(self.cache / name for name in ("evidence", "contracts", "ports"))):
            shutil.rmtree(path, ignore_errors=True)
        self.journal.unlink(missing_ok=True)

    def stored(self) -> dict[str, Any]:
        """Return the evidence on disk, by name of the unit."""
        return {item.unit.name: item for item in Store(self.cache / "evidence")}


def child(place: Place, event: str, number: int) -> None:
    """Port, kill this process at an event, and note what is judged."""
    begun: Counter[str] = Counter()

    def counted(kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def happen() -> None:
            begun[kind] += 1
            if (kind, begun[kind]) == (event, number):
                os.kill(os.getpid(), signal.SIGKILL)

        def called(*arguments: Any, **named: Any) -> Any:
            happen()
            result = function(*arguments, **named)
            happen()
            return result

        return called

    for kind, (owner, name) in EVENTS.items():
        replace(owner, name, lambda function, kind=kind: counted(kind, function))
    replace("transpile.testers.verdict.session", "settled", lambda function: noted(place.journal, function))
    replace(
        "transpile.testers.trials.generate", "_nonce", lambda _: lambda: 7
    )  # All runs make the same trials.
    from transpile.cli.main import main

    sys.argv = ["transpile", "port", str(place.source), "--out", str(place.out), *_OPTIONS]
    try:
        main()
    finally:
        (place.root / "events").write_text(json.dumps(begun))


def replace(owner: str, name: str, made: Callable[[Any], Any]) -> None:
    """Put a function that is made of another in its place."""
    module, _, inner = owner.partition(":")
    found: Any = importlib.import_module(module)
    found = getattr(found, inner) if inner else found
    setattr(found, name, made(getattr(found, name)))


def noted(journal: Path, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that judges, which writes down what before it begins."""

    def called(session: Any, source: Any, proposal: Any, *more: Any) -> Any:
        with journal.open("a") as file:
            file.write(f"{proposal.unit.name}\n")
        return function(session, source, proposal, *more)

    return called


class Driver:
    """Kills ports, and looks at what they leave."""

    def __init__(self, place: Place, seed: int, *, cold: bool) -> None:
        """Port once without a kill, for what all others must come to."""
        self._place = place
        self._chance = random.Random(seed)
        self._cold = cold
        self.outcome = Outcome()
        place.begin()
        assert self._run("none", 0) == 0, "the port fails without any kill"
        self._events: dict[str, int] = json.loads((place.root / "events").read_text())
        assert self._events.keys() == EVENTS.keys(), self._events
        self._expected = dict(texts(place.out))
        self._forget()

    def kill(self, times: int, moments: Sequence[tuple[str, int]]) -> Outcome:
        """Kill at these moments, then at random ones; ports that end before they are killed must be whole."""
        for moment in moments:
            self._once(*moment)
        while len(self.outcome.kills) < times:
            self._once(*self._moment())
        if self._place.journal.exists():
            self._once("none", 0)
        return self.outcome

    def _moment(self) -> tuple[str, int]:
        event = self._chance.choice(sorted(self._events))
        return event, self._chance.randint(1, self._events[event])

    def _once(self, event: str, number: int) -> None:
        before = set(self._place.stored())
        self._place.journal.unlink(missing_ok=True)
        status = self._run(event, number)
        if status == -signal.SIGKILL:
            stored = set(self._place.stored())
            again = tuple(name for name in self._judged() if name not in stored)
            self.outcome.kills.append(Kill(event=event, number=number, stored=len(stored), begun_again=again))
            self._check(before <= stored, f"a kill at {event} {number} lost {before - stored}")
            self._check(len(again) <= 1, f"a kill at {event} {number} lost {again}")
        else:
            self._check(status == 0, f"exit status {status} after kills")
            self._whole()
        self._check(not before & set(self._judged()), f"judged again: {before & set(self._judged())}")
        if status != -signal.SIGKILL:
            self._forget()

    def _whole(self) -> None:
        """Look at a port that came to its end."""
        self.outcome.ports += 1
        found = dict(texts(self._place.out))
        names = {name for name in found | self._expected if found.get(name) != self._expected.get(name)}
        self._check(not names, f"not as without kills: {', '.join(sorted(names))}")
        self._check(len(self._place.stored()) == UNITS, "evidence is missing")
        left = sorted(str(path.relative_to(self._place.root)) for path in self._left())
        self._check(not left, f"left behind: {', '.join(left)}")

    def _left(self) -> Iterator[Path]:
        yield from self._place.root.rglob(f"*{UNFINISHED}*")
        yield from self._place.root.rglob("builds/*/new-*")
        yield from self._place.root.rglob("builds/*/tmp*")
        yield from self._place.root.glob("temporary/*")
        yield from self._place.root.glob("cache/builds/scratch/*")
        yield from (path for path in self._place.out.parent.iterdir() if path != self._place.out)

    def _judged(self) -> list[str]:
        with suppress(FileNotFoundError):
            return self._place.journal.read_text().split()
        return []

    def _forget(self) -> None:
        self._place.forget()
        if self._cold and self._chance.random() < 0.5:
            for name in ("libraries", "objects", "programs"):
                shutil.rmtree(self._place.cache / "builds" / name, ignore_errors=True)

    def _run(self, event: str, number: int) -> int:
        (self._place.root / "temporary").mkdir(exist_ok=True)
        environment = {
            **os.environ,
            "TRANSPILE_CACHE": str(self._place.cache),
            "TMPDIR": str(self._place.root / "temporary"),
        }
        command = [sys.executable, "-m", "tests.integration.random_kills", str(self._place.root)]
        command += ["--child", "--at", f"{event}:{number}"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode not in (0, -signal.SIGKILL):
            self.outcome.complaints.append(done.stderr[-2000:])
        reap()
        return done.returncode

    def _check(self, holds: bool, complaint: str) -> None:
        if not holds:
            self.outcome.complaints.append(complaint)


def texts(out: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a port, times left out."""
    for path in sorted(out.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            name = path.relative_to(out).as_posix()
            yield name, _TIMES.sub("", data.decode()).encode() if name.endswith(".html") else data


def adopt() -> None:
    """Have orphans of killed ports become our children."""
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def reap() -> None:
    """Wait for orphans: each ends, or this does not."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def moment(text: str) -> tuple[str, int]:
    """Return an event and which of its kind it is."""
    event, _, number = text.partition(":")
    return event, int(number)


def main() -> int:
    """Kill as often as the command line says, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=secrets.randbits(16))
    parser.add_argument("--warm", action="store_true", help="keep what was built")
    parser.add_argument("--at", action="append", default=[], metavar="EVENT:NUMBER", type=moment)
    parser.add_argument("--child", action="store_true", help="be the port that is killed")
    given = parser.parse_args()
    if given.child:
        child(Place(given.root), *given.at[0])
        return 0
    adopt()
    with tempfile.TemporaryDirectory() as scratch:
        place = Place(given.root or Path(scratch))
        outcome = Driver(place, given.seed, cold=not given.warm).kill(given.kills, given.at)
    print(json.dumps({"seed": given.seed, **asdict(outcome)}, indent=1))
    return bool(outcome.complaints)


if __name__ == "__main__":
    sys.exit(main())
