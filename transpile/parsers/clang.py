"""libclang at work on lowered text: translation units parsed with the emulator's header, precompiled once."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from clang import cindex

from transpile.core import TranslationUnit, digest
from transpile.simt import include_directory

# libclang's cursors are typed as Any by their module's lack of annotations.
Cursor = Any
Type = Any

_KEEP_GOING = 0x200  # CXTranslationUnit_KeepGoing: a missing header is no reason to stop
_OPTIONS = cindex.TranslationUnit.PARSE_INCOMPLETE | _KEEP_GOING
_PRELUDE = "#include <simt/simt.h>\n"


def parse(root: Path, files: Mapping[str, bytes], unit: TranslationUnit) -> Any:
    """Parse a translation unit whose files are in memory; errors in it are tolerated.

    Args:
        root: Where the files lie in name; relative include directories count from here.
        files: Lowered texts by path.
        unit: What to parse, with its flags.
    """
    arguments = [
        *_common(),
        "-include-pch",
        str(_precompiled()),
        "-Xclang",
        "-fno-validate-pch",
        *_flags(root, unit),
    ]
    unsaved = [(str(root / path), data.decode("latin-1")) for path, data in files.items()]
    return _index().parse(str(root / unit.path), args=arguments, unsaved_files=unsaved, options=_KEEP_GOING)


def walk(cursor: Cursor, inside: frozenset[str]) -> Iterator[Cursor]:
    """Yield the cursors below that lie in files of those names, parents first."""
    for child in cursor.get_children():
        place = child.location.file
        if place is not None and place.name not in inside:
            continue
        yield child
        yield from walk(child, inside)


def descend(cursor: Cursor) -> Iterator[Cursor]:
    """Yield all cursors below, parents first."""
    for child in cursor.get_children():
        yield child
        yield from descend(child)


def _flags(root: Path, unit: TranslationUnit) -> list[str]:
    flags: list[str] = []
    words = iter(unit.flags)
    for word in words:
        if word in ("-I", "-isystem", "-iquote"):
            flags += ["-I", str(root / next(words, "."))]
        elif word.startswith("-I"):
            flags += ["-I", str(root / word[2:])]
        elif word in ("-D", "-U"):
            flags.append(word + next(words, ""))
        elif word.startswith(("-D", "-U")):
            flags.append(word)
    return [*flags, "-I", str(root / Path(unit.path).parent)]


@cache
def _index() -> Any:
    return cindex.Index.create()


@cache
def _common() -> tuple[str, ...]:
    simt = str(include_directory())
    return ("-x", "c++", "-std=gnu++17", "-w", "-ferror-limit=0", "-nostdinc++", *_system(), "-I", simt)


@cache
def _system() -> tuple[str, ...]:
    """Return the include directories of g++: the package brings no headers of its own."""
    done = subprocess.run(
        ["g++", "-E", "-v", "-x", "c++", "/dev/null"], capture_output=True, text=True, check=False
    )
    listed = re.search(
        r"#include <\.\.\.> search starts here:\n(.*?)End of search list", done.stderr, re.DOTALL
    )
    directories = listed.group(1).split() if listed else []
    return tuple(flag for directory in directories for flag in ("-isystem", directory))


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="transpile-clang-")


@cache
def _precompiled() -> Path:
    """Parse the emulator's header once a process."""
    place = Path(_scratch().name) / f"{digest(*_common())[:16]}.pch"
    prelude = place.with_suffix(".h")
    prelude.write_text(_PRELUDE)
    options = _OPTIONS
    unit = _index().parse(str(prelude), args=[*_replaced(_common())], options=options)
    unit.save(str(place))
    return place


def _replaced(arguments: Sequence[str]) -> list[str]:
    return ["c++-header" if word == "c++" else word for word in arguments]
