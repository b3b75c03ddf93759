"""Recipes to compile and link each flavour of a build."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from transpile.core import TRAITS, ProgrammingModel, TranslationUnit
from transpile.toolchains import compilers


class Flavour(StrEnum):
    """What a build is for."""

    PLAIN = "plain"
    """Results."""
    TRACE = "trace"
    """Every access reported to the worker, branches counted. One thread only."""
    WIDE = "wide"
    """Results in wider arithmetic: double for float, long double for double, float for 16 bits."""
    WIDER_FLOATS = "wider-floats"
    """The same with doubles as they are, where the source does not compile with wider ones."""
    ADDRESS = "address"
    """Accesses outside of objects and undefined behaviour end the run."""
    THREAD = "thread"
    """Data races of OpenMP threads end the run."""
    OFFLOAD = "offload"
    """Target regions run on a device with memory of its own."""
    CARVE = "carve"
    """A program whose every object is known by its bounds; faults are told of and do not end it."""
    COVER = "cover"
    """Branches counted, on any number of threads. No sanitizer: their tests are branches as well."""
    SHIPPED = "shipped"
    """Results of a port, optimised as far as its users may do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Compiler and flags of a flavour."""

    compiler: str
    compile: tuple[str, ...]
    link: tuple[str, ...]
    defines: tuple[str, ...] = ()
    precompiled: bool = True
    """Our headers are compiled once, which serves no build for two processors."""


WIDENED = (Flavour.WIDE, Flavour.WIDER_FLOATS)
"""Builds with wider numbers."""
CHECKED = (Flavour.TRACE, Flavour.ADDRESS, Flavour.THREAD)
"""Builds in which parallel algorithms run on threads of OpenMP, where they have more than one."""
LANES = "SIMT_WARP_SIZE"
"""Variable that says how many lanes the emulator's warps of HIP have."""
ROUNDING = "TRANSPILE_ROUNDING"
"""Variable that says whether all operations of a call round up, or down."""
_COMMON = (
    *("-ffp-contract=off", "-fPIC", "-fvisibility=hidden"),
    # What C++17 has no more and C has is no error in clang++.
    *("-w", "-Wno-register", "-fdiagnostics-color=never"),
    # Entries put together structs whose members are private.
    "-fno-access-control",
)
_MENTIONED = re.compile(r"-[DU](?:_OPENMP|restrict)\b")
"""Flags that change macros of which headers of the system or ours speak."""
SHIPPED_FLAGS = ("-fno-strict-aliasing",)
"""Flags in the build files of every port: kernels view memory as other types, which CUDA compilers bear."""
_OF_OLD_C = tuple(
    f"-Wno-error={complaint}"
    for complaint in (
        *("implicit-function-declaration", "implicit-int", "int-conversion"),
        *("incompatible-pointer-types", "incompatible-function-pointer-types"),
    )
)
"""For clang: what gcc of these machines takes for C."""
_CONVERGENT = ("-fno-split-paths", "-fno-split-loops", "-fno-thread-jumps", "-fno-unswitch-loops")
"""For g++, so that each call stays one: its place tells which lanes meet without a mask, as on devices."""
_SANITIZED = ("-O1", "-g1", "-fno-omit-frame-pointer", "-fopenmp")
_PATTERN, _ZERO = "-ftrivial-auto-var-init=pattern", "-ftrivial-auto-var-init=zero"
"""Fill patterns of uninitialised variables: no sanitizer sees a read of one, but results differ."""
_ATOMIC_OPERATIONS = (
    *("load", "store", "exchange", "compare_exchange_val", "compare_exchange_strong"),
    *("compare_exchange_weak", "fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor", "fetch_nand"),
)
_INTERLEAVED = tuple(
    f"-Wl,--wrap=__tsan_atomic{bits}_{name}" for bits in (8, 16, 32, 64) for name in _ATOMIC_OPERATIONS
)
"""Between atomic operations the worker lets other threads come (``native/interleave.cpp``)."""
_UNDEFINED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def recipe(flavour: Flavour) -> Recipe:
    """Return how to build the flavour with the compilers of this machine."""
    match flavour:
        case Flavour.PLAIN | Flavour.WIDE | Flavour.WIDER_FLOATS:
            wide = () if flavour is Flavour.PLAIN else ("SIMT_WIDE",)
            plain = (*_COMMON, "-O1", _PATTERN, "-fopenmp")
            return Recipe(compiler="g++", compile=plain, link=("-fopenmp",), defines=wide)
        case Flavour.SHIPPED:
            optimised = (*_COMMON, *SHIPPED_FLAGS, "-O3", "-fopenmp")
            return Recipe(compiler="g++", compile=optimised, link=("-fopenmp",))
        case Flavour.TRACE:
            # The callbacks are the worker's, so the runtime library of the sanitizer is not linked.
            return Recipe(
                compiler="g++",
                compile=(*_COMMON, "-O0", _ZERO, "-g1", "-fsanitize=thread", "--coverage"),
                link=("--coverage",),
                defines=("SIMT_TRACE", "TRANSPILE_COVERAGE"),
            )
        case Flavour.COVER:
            counted = ("--coverage", "-fprofile-update=prefer-atomic")
            return Recipe(
                compiler="g++",
                compile=(*_COMMON, "-O0", "-g1", _PATTERN, "-fopenmp", *counted),
                link=("-fopenmp", "--coverage"),
                defines=("TRANSPILE_COVERAGE",),
            )
        case Flavour.ADDRESS:
            return Recipe(
                compiler="g++",
                compile=(*_COMMON, *_SANITIZED, *_UNDEFINED, _PATTERN),
                link=("-fopenmp", *_UNDEFINED),
            )
        case Flavour.CARVE:
            bounds = ("-fsanitize=address", "-fsanitize-recover=address")
            known = (*_COMMON, "-O1", "-g1", "-fno-omit-frame-pointer", *bounds)
            return Recipe(compiler="g++", compile=known, link=("-fopenmp", *bounds))
        case Flavour.THREAD:
            thread = ("-fopenmp", "-fsanitize=thread")
            racing = (*_COMMON, *_OF_OLD_C, *_SANITIZED, *thread)
            return Recipe(compiler="clang++", compile=racing, link=(*thread, *_INTERLEAVED))
        case Flavour.OFFLOAD:
            device = ("-fopenmp", f"-fopenmp-targets={platform.machine()}-pc-linux-gnu")
            return Recipe(
                compiler="clang++",
                compile=(*_COMMON, *_OF_OLD_C, "-O1", *device),
                link=device,
                precompiled=False,
            )


def libraries(model: ProgrammingModel) -> tuple[str, ...]:
    """Return the linker's flags for a text in a model; raises ToolMissing where a library is not here."""
    names = TRAITS[model].libraries
    for name in names:
        compilers.find().require(name)
    return tuple(f"-l{name}" for name in names)


def unit_flags(unit: TranslationUnit, compiler: str, *, emulated: bool) -> tuple[str, ...]:
    """Return the flags that a unit is compiled by; for the emulator, of a standard that it can be read in."""
    if not emulated:
        # Where a build has OpenMP, its recipe says so.
        return tuple(flag for flag in unit.flags if flag != "-fopenmp")
    convergent = _CONVERGENT if compiler == "g++" else ()
    flags = (*modern(unit.flags), *convergent)
    # Our builds need OpenMP; a source that is built without it must not see that.
    return flags if "-fopenmp" in flags else (*flags, "-U_OPENMP")


def modern(flags: Iterable[str]) -> tuple[str, ...]:
    """Return flags without a standard of C++ that is older than what our headers are written in."""
    return tuple(flag for flag in flags if not _too_old(flag))


def argument(path: str) -> str:
    """Return a path as a word that no compiler takes for an option, a file of options or a place elsewhere.

    A file may be named ``@options.c`` or ``-wrapper``, a directory ``=``, which stands for the system's root.
    """
    return f"./{path}" if path.startswith(("-", "@", "=", "$")) else path


def _too_old(flag: str) -> bool:
    """Tell whether a -std flag asks for less than C++17, which is what the compilers default to."""
    match = re.fullmatch(r"-?-std=(?:c|gnu)\+\+(\w+)", flag)
    return bool(match) and match is not None and match[1] in ("98", "03", "0x", "11", "1y", "14")


def version(compiler: str) -> str:
    """Return what distinguishes the compiler's output from that of another machine."""
    tool = compilers.find().require(compiler)
    return f"{tool.path} {tool.version}"


def shared_by(flags: Sequence[str], *, strict: bool) -> tuple[str, ...]:
    """Return those of a unit's flags that a precompiled header depends on.

    Directories do not change our headers. g++ finds out by itself whether a macro matters and reads
    the text instead; clang (``strict``) refuses. What headers speak of is told to both.
    """
    kept: list[str] = []
    words = iter(flags)
    for word in words:
        if word in ("-I", "-isystem", "-iquote", "-include", "-idirafter"):
            next(words, None)
        elif word in ("-D", "-U"):
            value = next(words, "")
            kept += [word, value] if strict else []
        elif word.startswith(("-D", "-U")):
            kept += [word] if strict or _MENTIONED.match(word) else []
        elif not word.startswith(("-I", "-isystem", "-iquote", "-include", "-idirafter", "-l", "-L")):
            kept.append(word)
    return tuple(kept)
