"""Flags of compilers that a repository may give: an allow-list of those that say what a text means.

Others run programs, load code into the compiler, or read and write files by name. They are never passed on,
wherever they stand: in ``transpile.toml``, a Makefile, ``compile_commands.json``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from transpile.toolchains.recipes import argument

DIRECTORIES = frozenset(("-I", "-isystem", "-iquote", "-idirafter"))
TAKEN = "-I DIR, -include FILE, -D NAME, -U NAME, -std=, -lNAME, -fopenmp, -pthread, some of -f and -m"
"""The flags that a repository may give, in words."""
_VALUES = {
    "-D": re.compile(r"[A-Za-z_]\w*(?:\(.*)?(?:=.*)?", re.DOTALL),
    "-U": re.compile(r"[A-Za-z_]\w*"),
    "-std": re.compile(r"(?:c|gnu|iso)[\w+:]+"),
}
_LIBRARY = re.compile(r"-l:?[\w.+-]+")
_THREADS = ("-fopenmp", "-pthread")
CHANGING = ("-fopenmp",)
"""Flags that link a library, and change what a text means: ``#ifdef _OPENMP``."""
FOR_LINKER = ("-Xlinker", "--linker-options")
"""Options whose value is passed on to the linker."""
_GENERATION = re.compile(
    r"-f(?:no-)?(?:"
    "signed-char|unsigned-char|wrapv|trapv|strict-aliasing|strict-overflow|short-enums|common|exceptions|rtti|"
    "permissive|ms-extensions|plan9-extensions|gnu-keywords|gnu89-inline|lax-vector-conversions|char8_t|concepts|"
    "coroutines|fast-math|unsafe-math-optimizations|finite-math-only|math-errno|associative-math|reciprocal-math|"
    "signed-zeros|trapping-math|rounding-math|openmp-simd|pic|PIC|pie|PIE)"
    r"|-m(?:arch|tune|cpu)=[\w.+-]+"
    r"|-m(?:no-)?(?:32|64|mmx|sse[\w.]*|ssse3|avx\w*|fma4?|f16c|bmi2?|popcnt|lzcnt|aes|pclmul)"
    r"|-ansi"
)
_IDLE = re.compile(r"-[gO]\w*|-W(?![lap],)[\w+=-]*|-w|-pedantic(?:-errors)?|-pipe")
"""Flags without a say in what a text means."""
_DANGEROUS = re.compile(
    r"@|-wrapper|--?specs|-fplugin|-iplugindir|-fmodule-mapper|-B|-Xclang|-load|-mllvm|-T"
    r"|-Wl,(?:.*,)?(?:-T|--?script|--?plugin|--?dynamic-linker|@)|-dump|--?save-temps|--?imacros|-isysroot"
    r"|--sysroot|-aux-info|-fdump|--options-file|-optf"
)
"""Flags of builds that are refused aloud; what else is not taken (``-o``, ``-MF``, ``-O3``) is left out."""


def meaning(name: str, value: str, place: Callable[[str], str]) -> list[str] | None:
    """Return an option that says what a text means, in one form; None where it is none, or its value is odd.

    Args:
        name: Of the option.
        value: What it is given.
        place: Turns a path of the option into one of the build.
    """
    if name in DIRECTORIES:
        return ["-I" + argument(place(value))]
    if name == "-include":
        return ["-include", argument(place(value))]
    if name in _VALUES and _VALUES[name].fullmatch(value):
        return [f"{name}={value}" if name == "-std" else name + value]
    return None


def links(name: str) -> bool:
    """Tell whether an option links a library by its name, or threads."""
    return name in _THREADS or _LIBRARY.fullmatch(name) is not None


def dangerous(name: str, value: str) -> str:
    """Return the part of an option that it is refused for; empty where it is only left out."""
    if name in FOR_LINKER:
        return name if _DANGEROUS.match(f"-Wl,{value}") else ""
    found = _DANGEROUS.match(name)
    return found.group() if found else ""


def stated(
    options: Iterable[tuple[str, str]], place: Callable[[str], str], refused: list[str]
) -> Iterator[str]:
    """Yield what is taken of the flags that a user's file states; the others are added to ``refused``."""
    for name, value in options:
        known = meaning(name, value, place)
        if known is not None:
            yield from known
        elif _GENERATION.fullmatch(name) or links(name):
            yield name
        elif not _IDLE.fullmatch(name):
            refused.append(name)
