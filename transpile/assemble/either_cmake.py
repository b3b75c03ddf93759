"""A CMakeLists.txt for CUDA becomes one for CUDA or, with an option, for HIP."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from transpile.assemble import hip_cmake
from transpile.code.cmake import commands

OPTION = "USE_HIP"
_CONDITION = f"if({OPTION})\n"
_OPTION = f'option({OPTION} "Build for AMD\'s devices, with HIP" OFF)\n'
_VERSION = re.compile(r"[ \t]*cmake_minimum_required\b", re.IGNORECASE)
_BEGINS = re.compile(r"[ \t]*(?:cmake_minimum_required|project)\b", re.IGNORECASE)
_TARGET = re.compile(r"[ \t]*(?:cuda_)?add_(?:executable|library)\b", re.IGNORECASE)


def ported(text: str, files: Sequence[str]) -> str:
    """Return the CMakeLists.txt whose commands for CUDA stand there for HIP too; one that has both stays.

    Args:
        text: The source's CMakeLists.txt.
        files: Those of CUDA in its directory and below, which CMake knows by their suffix alone.
    """
    if _CONDITION in text:
        return text
    old, new = list(_commands(text)), list(_commands(hip_cmake.ported(text, {}, suffix=".cu")))
    made: list[str] = []
    for kind, first, last, start, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, after = old[first:last], new[start:stop]
        if kind == "equal":
            made += before
            continue
        made += [line for line in after if _VERSION.match(line)]
        made.append(_either(_others(after), _others(before)))
    return "".join(_with_option(_with_language(made, files)))


def _commands(text: str) -> Iterator[str]:
    """Yield the lines of a text, those of one command together."""
    spans = [(command.start, command.end) for command in commands(text)]
    start = end = 0
    for line in text.splitlines(keepends=True):
        end += len(line)
        if not any(begins < end < ends for begins, ends in spans):
            yield text[start:end]
            start = end
    if start < end:
        yield text[start:end]


def _others(commands: Sequence[str]) -> str:
    return "".join(line for line in commands if not _VERSION.match(line))


def _either(hip: str, cuda: str) -> str:
    if not hip and not cuda:
        return ""
    if not hip:
        return f"if(NOT {OPTION})\n{cuda}endif()\n"
    return f"{_CONDITION}{hip}{f'else(){chr(10)}{cuda}' if cuda else ''}endif()\n"


def _with_language(pieces: Sequence[str], files: Sequence[str]) -> list[str]:
    """Return the pieces, with the language of files before the first target."""
    at = next((number for number, piece in enumerate(pieces) if _TARGET.search(piece)), None)
    if at is None or not files:
        return list(pieces)
    named = f"set_source_files_properties({' '.join(files)} PROPERTIES LANGUAGE HIP)\n"
    return [*pieces[:at], f"{_CONDITION}{named}endif()\n", *pieces[at:]]


def _with_option(pieces: Sequence[str]) -> list[str]:
    """Return the pieces with the option behind the version that is asked for, if a project begins here."""
    if not any(_BEGINS.search(piece) for piece in pieces):
        return list(pieces)
    at = next((number + 1 for number, piece in enumerate(pieces) if _VERSION.match(piece)), 0)
    return [*pieces[:at], _OPTION, *pieces[at:]]
