"""Shortages of a machine at each stage of a port: run this file to see the outcome of each."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from tests.integration.planting import BAD, GOOD, Planted, plant
from transpile import pipeline
from transpile.cli.edge import guarded
from transpile.core import OPENMP, Evidence, Inconclusive, Passed
from transpile.options import PortOptions, Silent
from transpile.store import Store
from transpile.testers.verdict.session import Judged, JudgingSession
from transpile.toolchains import build, compilers
from transpile.toolchains.compilers import Toolbox
from transpile.toolchains.confinement import Profile
from transpile.toolchains.process import Finished

Patch = pytest.MonkeyPatch
MAIN = b"""#include <stdio.h>
void good(float *x, int n);
void bad(float *x, int n);
int main(void)
{
    float x[4] = {1, 2, 3, 4};
    good(x, 4);
    bad(x, 4);
    printf("%g\\n", x[3]);
    return 0;
}
"""
MAKEFILE = b"""main: a.c b.c main.c
\tgcc -O2 -o main a.c b.c main.c
run: main
\t./main
"""
BOTH = ("bad", "good")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The directories of a port."""

    root: Path
    cache: Path
    out: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault, and the outcome that it must have."""

    stage: str
    kind: str
    inject: Callable[[Patch, Place], Place | None]
    """Makes it go wrong; may move the port elsewhere."""
    status: int = 2
    survived: tuple[str, ...] = ("good",)
    """Units whose verdicts are on disk afterwards."""
    before: bool = False
    """It happens to what an earlier port has left."""
    known: tuple[str, ...] = ()
    """Units that are not judged again then."""

    @property
    def id(self) -> str:
        return f"{self.stage}: {self.kind}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a fault."""

    status: int
    survived: tuple[str, ...]
    known: tuple[str, ...]
    others: tuple[str, ...]
    """Verdicts on disk that are no pass: none of them is the translation's."""


class Watch(Silent):
    """Notes what an earlier port had decided."""

    def __init__(self) -> None:
        self.known: list[str] = []

    def decided(self, evidence: Evidence, *, known: bool) -> None:
        self.known += [evidence.unit.name] if known else []


def suffer(fault: Fault, root: Path, builds: Path) -> Outcome:
    """Port a program of two functions, each in its own file, the second of which meets with the fault."""
    (root / "source").mkdir(parents=True)
    (root / "source" / "a.c").write_bytes(GOOD)
    (root / "source" / "b.c").write_bytes(BAD)
    (root / "source" / "main.c").write_bytes(MAIN)
    (root / "source" / "Makefile").write_bytes(MAKEFILE)
    (root / "cache").mkdir()
    (root / "cache" / "builds").symlink_to(builds)
    place = Place(root=root / "source", cache=root / "cache", out=root / "out")
    watch = Watch()
    with Patch.context() as patch:
        patch.setenv("TRANSPILE_CACHE", str(place.cache))
        if fault.before:
            port(replace(place, out=root / "earlier"), watch)
        there = fault.inject(patch, place) or place
        patch.setenv("TRANSPILE_CACHE", str(there.cache))
        status = port(there, watch)
    verdicts = [
        (item.unit.name, isinstance(item.verdict, Passed)) for item in Store(place.cache / "evidence")
    ]
    return Outcome(
        status=status,
        survived=tuple(sorted(name for name, passed in verdicts if passed)),
        known=tuple(sorted(watch.known)),
        others=tuple(name for name, passed in verdicts if not passed),
    )


def port(place: Place, watch: Watch) -> int:
    """Return the exit status of a port, as the command line has it."""
    options = PortOptions(cache=place.cache, out=place.out, target=OPENMP, prove=0, clocks=False)

    def command() -> None:
        raise typer.Exit(pipeline.port(place.root, options, watch).exit_status)

    try:
        guarded(command)()
    except typer.Exit as left:
        return left.exit_code
    raise AssertionError("a command ends with an exit status")


def no_compiler(patch: Patch, _: Place) -> None:
    tools = tuple(replace(tool, path=None) if tool.name == "g++" else tool for tool in compilers.find().tools)
    patch.setattr(compilers, "find", lambda: Toolbox(tools=tools))


def no_cache(_: Patch, place: Place) -> Place:
    return replace(place, cache=place.root / "a.c" / "cache")


def no_out(_: Patch, place: Place) -> Place:
    return replace(place, out=Path("/proc/port"))


def full_disk(patch: Patch, _: Place) -> None:
    room = SimpleNamespace(f_bavail=100, f_frsize=4096, f_files=1000, f_favail=1000)
    patch.setattr(os, "statvfs", lambda _: room)


def fails(owner: str, name: str, error: Exception, *, always: bool = False) -> Callable[[Patch, Place], None]:
    planted = Planted(owner, name, always=always)
    return lambda patch, _: plant(planted, error, patch)


def system(number: int) -> OSError:
    return OSError(number, os.strerror(number), "/the/cache")


def compiler(status: int, said: bytes) -> Callable[[Patch, Place], None]:
    """Have every compiler fail from the moment on at which the first verdict is on disk."""

    def inject(patch: Patch, _: Place) -> None:
        saved: list[str] = []
        save, execute, is_kept = Store.save, build.sandbox.execute, build.is_kept

        def noted(store: Store, key: str, evidence: Evidence) -> Evidence:
            saved.append(key)
            return save(store, key, evidence)

        def broken(command: Any, *, profile: Profile, **more: Any) -> Finished:
            if not saved or profile is not Profile.BUILD:
                return execute(command, profile=profile, **more)
            return Finished(
                status=status,
                signal=9 if status == 137 else None,
                timed_out=False,
                out_of_memory=False,
                stdout=b"",
                stderr=said,
                seconds=0.1,
            )

        patch.setattr(Store, "save", noted)
        patch.setattr(build.sandbox, "execute", broken)
        patch.setattr(build, "is_kept", lambda final: not saved and is_kept(final))

    return inject


def nothing_shown_on_a_full_disk(patch: Patch, place: Place) -> None:
    """Have the disk be full while the second unit is judged, which shows nothing then."""
    decide = JudgingSession.decide

    def decided(session: JudgingSession, proposal: Any, *more: Any) -> Judged:
        if proposal.unit.name != "bad":
            return decide(session, proposal, *more)
        full_disk(patch, place)
        return Judged(verdict=Inconclusive(reason="branches were never taken", code="TP411"))

    patch.setattr(JudgingSession, "decide", decided)


def emptied(pattern: str) -> Callable[[Patch, Place], None]:
    def inject(_: Patch, place: Place) -> None:
        found = list((place.cache / "builds").resolve().glob(pattern))
        assert found, "there is nothing to empty"
        for path in found:
            path.write_bytes(b"")
        # Verdicts that are known would need no build.
        shutil.rmtree(place.cache / "evidence")

    return inject


def edited(_: Patch, place: Place) -> None:
    """Change what the evidence of the second unit says, so that it is as valid as before."""
    for path in (place.cache / "evidence").glob("*/evidence.json"):
        text = path.read_text()
        if '"name": "bad"' in text:
            assert '"tested"' in text
            path.write_text(text.replace('"tested"', '"hardened"'))


FAULTS = (
    Fault(stage="none", kind="none", inject=lambda *_: None, status=0, survived=BOTH),
    Fault(stage="start", kind="no compiler", inject=no_compiler, survived=()),
    Fault(stage="start", kind="cache not writable", inject=no_cache, survived=()),
    Fault(stage="start", kind="--out not writable", inject=no_out, survived=()),
    Fault(stage="start", kind="disk full", inject=full_disk, survived=()),
    Fault(
        stage="contract",
        kind="ENOMEM",
        inject=fails("transpile.contracts.inference", "subject_of", system(errno.ENOMEM)),
    ),
    Fault(
        stage="translate", kind="MemoryError", inject=fails("transpile.translators", "propose", MemoryError())
    ),
    Fault(
        stage="judge",
        kind="EMFILE",
        inject=fails("transpile.testers.verdict.session:JudgingSession", "decide", system(errno.EMFILE)),
    ),
    Fault(
        stage="judge", kind="compiler says ENOSPC", inject=compiler(1, b"ld: a.o: No space left on device\n")
    ),
    Fault(stage="judge", kind="compiler killed", inject=compiler(137, b"")),
    Fault(stage="judge", kind="disk full, nothing shown", inject=nothing_shown_on_a_full_disk),
    Fault(stage="save", kind="ENOSPC", inject=fails("transpile.store:Store", "save", system(errno.ENOSPC))),
    Fault(stage="save", kind="EDQUOT", inject=fails("transpile.store:Store", "save", system(errno.EDQUOT))),
    Fault(
        stage="assemble",
        kind="ENOMEM",
        inject=fails("transpile.settle", "assemble", system(errno.ENOMEM)),
        survived=BOTH,
    ),
    Fault(
        stage="publish",
        kind="EROFS",
        inject=fails("transpile.publish", "write", system(errno.EROFS), always=True),
        survived=BOTH,
    ),
    Fault(
        stage="later",
        kind="libraries emptied",
        inject=emptied("libraries/*/library.so"),
        status=0,
        survived=BOTH,
        before=True,
    ),
    Fault(
        stage="later",
        kind="programs emptied",
        inject=emptied("programs/*/program"),
        status=0,
        survived=BOTH,
        before=True,
    ),
    Fault(
        stage="later",
        kind="evidence edited",
        inject=edited,
        status=0,
        survived=BOTH,
        before=True,
        known=("good",),
    ),
)


def main() -> None:
    """Print the table."""
    print("| stage | what goes wrong | exit status | verdicts on disk |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as directory:
        (builds := Path(directory) / "builds").mkdir()
        for number, fault in enumerate(FAULTS):
            found = suffer(fault, Path(directory) / str(number), builds)
            kept = f"{len(found.survived)} of 2" + (f", {len(found.others)} wrong" if found.others else "")
            print(f"| {fault.stage} | {fault.kind} | {found.status} | {kept} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
