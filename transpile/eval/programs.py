"""Small programs around a translation: built and run in the sandbox, for tests that suites bring along."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from transpile.assemble import stdpar
from transpile.core import STDPAR, Dialect, TranslationUnit
from transpile.parsers.lowering.emulation import lower_text
from transpile.toolchains.build import BuildFailed, build_program
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.recipes import libraries
from transpile.toolchains.sandbox import execute
from transpile.toolchains.workshop import Workshop
from transpile.translators.targets.stdpar.ranges import INDEX_RANGE, index_range

_SEVERAL = "transpile: several threads"
"""Printed by a test to standard error where something runs on several threads."""
_LAUNCHES = f"""
extern "C" void simt_launched(const char *, unsigned long long threads) {{
    if (threads > 1) std::fputs("{_SEVERAL}\\n", stderr);
}}
"""
_REGIONS = f"""
#include <cstdio>
#include <dlfcn.h>
extern "C" void GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags) {{
    if (threads != 1) std::fputs("{_SEVERAL}\\n", stderr);  // 1 where a clause `if` does not hold
    reinterpret_cast<decltype(&GOMP_parallel)>(dlsym(RTLD_NEXT, "GOMP_parallel"))(run, data, threads, flags);
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """The output of a program."""

    text: str
    """What it printed, or why it was not built."""
    ended: bool = False
    """It ended by itself, with status 0."""
    several: bool = False
    """Something ran on several threads: a kernel, or a region of OpenMP."""


def run(
    workshop: Workshop,
    text: str,
    dialect: Dialect,
    *,
    arguments: tuple[str, ...] = (),
    seconds: float = 10.0,
    memory: int = 1 << 30,
) -> Printed:
    """Return what a program prints whose text holds a translation into a dialect, on two threads."""
    emulated = dialect.traits.emulated
    data = (text + (_LAUNCHES if emulated else _REGIONS)).encode()
    built = build_program(
        workshop,
        {"t.cpp": lower_text(data, frozenset()).data if emulated else data, INDEX_RANGE: index_range()},
        [TranslationUnit(path="t.cpp", flags=stdpar.flags(()) if dialect == STDPAR else ())],
        link_flags=libraries(dialect.model),
        emulated=emulated,
        defines=dialect.traits.defines,
    )
    if isinstance(built, BuildFailed):
        return Printed(text="does not build: " + built.output[:300])
    with tempfile.TemporaryDirectory() as scratch:
        finished = execute(
            [str(built.path), *arguments],
            profile=Profile.RUN,
            mounts=Mounts(cwd=Path(scratch), readable=[built.path.parent]),
            quota=Quota(timeout=seconds, memory=memory),
            environment={"OMP_NUM_THREADS": "2"},
            unsafe=workshop.unsafe,
        )
    return Printed(
        text=finished.stdout.decode("utf-8", "replace"),
        ended=finished.status == 0,
        several=_SEVERAL.encode() in finished.stderr,
    )
