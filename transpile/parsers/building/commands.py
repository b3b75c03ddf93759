"""Compiler command lines, of nvcc and others, as far as they change what a text means."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.parsers.building import flags as allowed

_COMPILER = re.compile(
    r"(?:.*/)?(?:nvcc|hipcc|(?:[\w\-]*-)?(?:g\+\+|gcc|c\+\+|cc|clang|clang\+\+)(?:-\d+)?|icpx?|icpc|nvc\+\+|mpicxx|mpicc|mpic\+\+|CC)$"
)
SOURCES = (".cu", ".hip", ".cpp", ".cc", ".cxx", ".c", ".C")
_OBJECTS = (".o", ".obj", ".a", ".so")
_OF_CUDA = re.compile(r"-l(?:cu\w*|nv\w*|npp\w*|ineinfo)$")
_ARCHIVER = re.compile(r"(?:.*/)?(?:[\w.]+-)*ar(?:-\d+)?$")
_ADDS = re.compile(r"-?[a-zA-Z]*[rq][a-zA-Z]*$")
_WRAPPERS = ("ccache", "time", "env", "nice", "srun", "mpirun", "mpiexec")
_VALUED = frozenset(
    [
        "-I",
        "-D",
        "-U",
        "-isystem",
        "-iquote",
        "-include",
        "-L",
        "-o",
        "-x",
        "-MF",
        "-MT",
        "-MQ",
        "-arch",
        "-gencode",
        "-code",
        "-ccbin",
        "-Xptxas",
        "-Xcompiler",
        "--compiler-options",
        "-idirafter",
        # Refused, with what belongs to them.
        "-wrapper",
        "-specs",
        "-B",
        "-T",
        "-Xclang",
        "-mllvm",
        "-Xassembler",
        "-Xpreprocessor",
        "-imacros",
        "-isysroot",
        "-dumpdir",
        "-dumpbase",
        "-aux-info",
        "-odir",
        "--output-directory",
    ]
)
COMPILES = frozenset(
    (
        *("-c", "--compile", "-dc", "--device-c", "-dw", "--device-w"),
        *("-M", "-MM", "--generate-dependencies", "--generate-nonsystem-dependencies"),
        *("-E", "--preprocess", "-S", "-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin"),
        # Makes an object of the device's code in other objects.
        *("-dlink", "--device-link"),
    )
)
"""Purposes of calls of a compiler that make no program."""
LIBRARIES = ("-shared", "--shared", "-lib", "--lib")
_LINKS = ("-link", "--link")
"""nvcc's own word for what it does anyway; no library is called that."""
_JOINED = ("-I", "-D", "-U", "-L", "-o")
"""Options whose value may follow without a blank."""
_OF_NO_OUTPUT = ("-openmp", "-optf", "-opt-info", "-optix-ir", "-objtemp")
"""Options that begin like ``-o`` and its file."""
_LONG = {
    "--include-path": "-I",
    "--define-macro": "-D",
    "--undefine-macro": "-U",
    "--std": "-std",
    "--output-file": "-o",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One call of a compiler."""

    sources: tuple[str, ...]
    objects: tuple[str, ...]
    output: str | None
    flags: tuple[str, ...]
    link_flags: tuple[str, ...]
    compiles_only: bool
    directory: str = ""
    """The folder that it runs in, as seen from the root."""
    library: bool = False
    """It makes an archive or a shared library."""
    refused: tuple[str, ...] = ()
    """Options that are never passed on, by name."""


def parse(words: Sequence[str], directory: str = "") -> Command | None:
    """Return a compiler's command line; None for other commands. Paths count from the source root.

    Args:
        words: The command line.
        directory: Where it runs, relative to the source root.
    """
    words = _unwrapped(words)
    if not words or not _COMPILER.match(words[0]):
        return None
    sources: list[str] = []
    objects: list[str] = []
    flags: list[str] = []
    link: list[str] = []
    refused: list[str] = []
    output = None
    compiles_only = library = False
    for name, value in options(words[1:]):
        meant = allowed.meaning(name, value, lambda path: _relative(path, directory))
        if meant is not None:
            flags += meant
        elif name == "-o":
            output = _relative(value, directory)
        elif name in COMPILES:
            compiles_only = True
        elif name in LIBRARIES:
            library = True
        elif name in _LINKS:
            continue
        elif name == "-L":
            link.append("-L" + _relative(value, directory))
        elif allowed.links(name):
            flags += [name] if name in allowed.CHANGING else []
            link += [] if _OF_CUDA.match(name) else [name]
        elif part := allowed.dangerous(name, value):
            refused.append(part)
        elif not name.startswith("-"):
            path = _relative(name, directory)
            if name.endswith(SOURCES):
                sources.append(path)
            elif name.endswith(_OBJECTS):
                objects.append(path)
    return Command(
        sources=tuple(sources),
        objects=tuple(objects),
        output=output,
        flags=tuple(dict.fromkeys(flags)) if "-include" not in flags else tuple(flags),
        link_flags=tuple(dict.fromkeys(link)),
        compiles_only=compiles_only,
        directory=directory,
        library=library,
        refused=tuple(dict.fromkeys(refused)),
    )


def archive(words: Sequence[str], directory: str = "") -> Command | None:
    """Return a call of ``ar`` that puts objects into an archive; None for other commands."""
    words = _unwrapped(words)
    if len(words) < 4 or not _ARCHIVER.match(words[0]) or not _ADDS.match(words[1]):
        return None
    return Command(
        sources=(),
        objects=tuple(_relative(word, directory) for word in words[3:] if word.endswith(_OBJECTS)),
        output=_relative(words[2], directory),
        flags=(),
        link_flags=(),
        compiles_only=False,
        directory=directory,
        library=True,
    )


def lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield directory and words of each simple command that ``make -n`` prints."""
    directories = [""]
    text = re.sub(r"\\\r?\n", " ", text)
    for line in text.splitlines():
        entering = re.match(r"\S*make(?:\[\d+\])?: (Entering|Leaving) directory [`'](.*)'", line)
        if entering:
            if entering[1] == "Entering":
                directories.append(entering[2])
            elif len(directories) > 1:
                directories.pop()
            continue
        here = directories[-1]
        for part in re.split(r"&&|\|\||;", line):
            try:
                words = shlex.split(part, comments=True)
            except ValueError:
                continue
            if len(words) == 2 and words[0] == "cd":
                here = posixpath.join(here, words[1])
            elif words:
                yield here, words


def _unwrapped(words: Sequence[str]) -> list[str]:
    rest = [word for word in words]
    while rest and (rest[0].lstrip("@-+") in _WRAPPERS or re.match(r"\w+=", rest[0])):
        del rest[0]
    if rest:
        rest[0] = rest[0].lstrip("@")
    return rest


def options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield name and value of each option; a plain word is a name without value."""
    rest = iter(words)
    for word in rest:
        long, separator, value = word.partition("=")
        if long in _LONG:
            yield _LONG[long], value if separator else next(rest, "")
        elif word.startswith("-std="):
            yield "-std", value
        elif word in ("-Xcompiler", "--compiler-options"):
            for inner in next(rest, "").replace(",", " ").split():
                yield from options([inner])
        elif word.startswith("-Xcompiler=") or word.startswith("--compiler-options="):
            yield from options(value.replace(",", " ").split())
        elif long in allowed.FOR_LINKER:
            yield long, value if separator else next(rest, "")
        elif word in _VALUED:
            yield word, next(rest, "")
        elif len(word) > 2 and word[:2] in _JOINED and not word.startswith(_OF_NO_OUTPUT):
            yield word[:2], word[2:]
        else:
            yield word, ""


def _relative(path: str, directory: str) -> str:
    return posixpath.normpath(posixpath.join(directory, path))
