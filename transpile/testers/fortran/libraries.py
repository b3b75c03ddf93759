"""Libraries of a source and of its translation with entries for trials, built in the sandbox."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from transpile import foreign
from transpile.core import digest
from transpile.errors import ToolMissing
from transpile.testers.fortran.entries import WRAPPED
from transpile.toolchains import native, sandbox
from transpile.toolchains.build import Built
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.recipes import Flavour

LITERAL = ("-O0", "-ffp-contract=off")
"""Flags with which both sides are compared: no operation is left out, moved or fused."""
CANDIDATE = "candidate.cpp"
_COMMON = ("-fPIC", "-w")
_FORTRAN = ("-std=legacy", "-ffree-line-length-none", *LITERAL, *_COMMON)
_CPP = ("-std=c++17", *LITERAL, *_COMMON)
_ALONE = "-DFORTRAN_SYMBOL(name)=__asm__(name)"
"""No Fortran brings variables that a translation shares: AddressSanitizer watches beside those of its own."""
_PATTERN = "-ftrivial-auto-var-init=pattern"
_SANITIZED = ("-g1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_SECONDS = 900.0
_CANDIDATE_LINE = re.compile(r"candidate\.cpp:(\d+):\d+:\s+(?:error|fatal error|required from)")


class Side(StrEnum):
    """Builds that trials call."""

    SOURCE = "source"
    CHECKED = "checked"
    """The source, ending calls that reach beyond what is declared or the range of whole numbers; variables
    hold a pattern at first."""
    TRACED = "traced"
    """The source, telling of every access."""
    COUNTED = "counted"
    """The source, counting its branches."""
    CANDIDATE = "candidate"
    SANITIZED = "sanitized"
    """The translation, ended by accesses outside of objects and undefined behaviour."""
    SHIPPED = "shipped"
    """The translation as the port's Makefile builds it."""
    CANDIDATE_COUNTED = "candidate-counted"
    """The translation, counting its branches."""


@dataclass(frozen=True, slots=True)
class _Recipe:
    compiler: str
    compile: tuple[str, ...]
    link: tuple[str, ...]
    flavour: Flavour
    defines: tuple[str, ...] = ()


_CHECKS = (
    "-fcheck=bounds,do,mem,pointer",
    "-ftrapv",
    *("-finit-integer=-1077952577", "-finit-real=snan", "-finit-logical=true", "-finit-character=35"),
)
_COUNTS = ("-DTRANSPILE_COVERAGE",)
_RECIPES = {
    Side.SOURCE: _Recipe("gfortran", _FORTRAN, (), Flavour.PLAIN),
    Side.CHECKED: _Recipe("gfortran", (*_FORTRAN, *_CHECKS), (), Flavour.PLAIN),
    Side.TRACED: _Recipe("gfortran", (*_FORTRAN, "-g1", "-fsanitize=thread"), (), Flavour.TRACE),
    Side.COUNTED: _Recipe("gfortran", (*_FORTRAN, "--coverage"), ("--coverage",), Flavour.COVER, _COUNTS),
    Side.CANDIDATE: _Recipe("g++", (*_CPP, _PATTERN), (), Flavour.PLAIN),
    Side.SANITIZED: _Recipe("g++", (*_CPP, _ALONE, *_SANITIZED), _SANITIZED[2:], Flavour.ADDRESS),
    Side.SHIPPED: _Recipe("g++", (*_CPP, "-O2"), (), Flavour.PLAIN),
    # Without ways out of calls that throw: the ends of objects on them are lines that nothing runs.
    Side.CANDIDATE_COUNTED: _Recipe(
        "g++", (*_CPP, "-fno-exceptions", "--coverage"), ("--coverage",), Flavour.COVER, _COUNTS
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A library that was not built."""

    command: str
    output: str

    @property
    def candidate_lines(self) -> list[int]:
        """Return the lines of the translation that it complains of, or that lead to what it complains of."""
        return [int(number) for number in _CANDIDATE_LINE.findall(self.output)]

    @property
    def complaint(self) -> str:
        """Return the first error in one line."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        return next((line for line in lines if "rror" in line), lines[0] if lines else "no message")[:300]


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """All that libraries are made of."""

    source: Mapping[str, str]
    """Fortran files in the order in which they are compiled."""
    candidate: str
    entries: str
    headers: Path
    """The folder of headers that the translation includes."""
    top: Path
    """The folder that the source includes files of."""


def compiled_as(texts: Texts, name: str) -> str:
    """Return what a file of the source is called where it is compiled."""
    return f"source{list(texts.source).index(name)}{Path(name).suffix}"


def build(folder: Path, texts: Texts, side: Side, *, unsafe: bool = False) -> Built | Failed:
    """Build a library in a folder of its own below another one, which stays as long as it is used."""
    how = _RECIPES[side]
    place = folder / side
    place.mkdir()
    of_source = how.compiler == "gfortran"
    if of_source:
        names = [compiled_as(texts, name) for name in texts.source]
        for name, text in zip(names, texts.source.values(), strict=True):
            foreign.write(place, name, text.encode("latin-1"))
    else:
        names = [CANDIDATE]
        foreign.write(place, CANDIDATE, texts.candidate.encode("latin-1", "replace"))
    include = f"-I{texts.top if of_source else texts.headers}"
    objects = [f"{Path(name).stem}.o" for name in names]
    link = ["g++", "-shared", *objects, "entries.o", *WRAPPED, *how.link, "-lgfortran", "-o", "library.so"]
    readable = [texts.headers, texts.top, native.SOURCES]
    for command in ([how.compiler, *how.compile, include, "-c", *names], link):
        if command is link:
            failed = _entries(folder, place, texts, how, unsafe=unsafe)
            if failed is not None:
                return failed
        failed = _run(place, command, readable, unsafe=unsafe)
        if failed is not None:
            return failed
    key = digest(side, texts.candidate, texts.entries, *texts.source.values())
    return Built(path=place / "library.so", digest=key, flavour=how.flavour)


def _entries(folder: Path, place: Path, texts: Texts, how: _Recipe, *, unsafe: bool) -> Failed | None:
    """Put the compiled entries where a library is linked: sides share them but for counts of branches."""
    shared = folder / f"entries{'-counted' if how.defines else ''}"
    if not (shared / "entries.o").exists():
        shared.mkdir(exist_ok=True)
        foreign.write(shared, "entries.cpp", texts.entries.encode())
        include = f"-I{native.SOURCES}"
        command = ["g++", *_CPP, "-O1", *how.defines, include, "-c", "entries.cpp", "-o", "entries.o"]
        failed = _run(shared, command, [native.SOURCES], unsafe=unsafe)
        if failed is not None:
            return failed
    foreign.write(place, "entries.o", foreign.read(shared, "entries.o"))
    return None


def assembly(folder: Path, texts: Texts, *, unsafe: bool = False) -> str:
    """Return the instructions of a translation as the port's Makefile builds it; none where it does not."""
    place = folder / "assembly"
    place.mkdir()
    foreign.write(place, CANDIDATE, texts.candidate.encode("latin-1", "replace"))
    apart = ("-fno-ipa-icf", "-fno-asynchronous-unwind-tables")
    command = ["g++", *_CPP, "-O2", *apart, f"-I{texts.headers}", "-S", CANDIDATE, "-o", "candidate.s"]
    if _run(place, command, [texts.headers], unsafe=unsafe) is not None:
        return ""
    return foreign.read(place, "candidate.s").decode(errors="replace")


def _run(place: Path, command: Sequence[str], readable: Sequence[Path], *, unsafe: bool) -> Failed | None:
    try:
        done = sandbox.execute(
            command,
            profile=Profile.BUILD,
            mounts=Mounts(cwd=place, readable=readable, writable=[place]),
            quota=Quota(timeout=_SECONDS, memory=6 << 30),
            unsafe=unsafe,
        )
    except ToolMissing as error:
        raise ToolMissing(str(error), hint=f"apt-get install {command[0]}") from error
    if done.status == 0:
        return None
    return Failed(command=" ".join(command[:2]), output=done.stderr.decode(errors="replace"))
