"""Headers by which code that is written with CUDA's names is compiled for NVIDIA's devices and for AMD's.

They stand in a folder at the root of a port: one for each header of CUDA that the source includes, which is
that one to nvcc and HIP's to a compiler for AMD, and one with the names that the source uses.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from transpile.code.edits import Edit
from transpile.code.lexer import every_word, tokenize
from transpile.errors import UsageError
from transpile.toolchains.beside import INCLUDE
from transpile.translators.targets.hip import accesses, helpers, names, tables

FOLDER = "cuda_or_hip"
RUNTIME = "cuda_runtime.h"
CHOICE = b"HIP_OR_CUDA"
"""Macro that takes what it is to HIP, then what it is to CUDA."""
_NAMES = "names.h"
_IS_AMD = "defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__)"
_INCLUDED = re.compile(rb'#[ \t]*include[ \t]*"(?:[^"\n]*/)?%s/([^"\n]+)"' % FOLDER.encode())
_COMPILER = b"__CUDACC__"
"""Not mapped: to define it would tell other headers that nvcc reads them."""


def is_ours(path: str, data: bytes) -> bool:
    """Tell whether a file is one of these headers."""
    return _is_beside(path) and f"#ifndef {_guard(path)}\n".encode() in data


def _is_beside(path: str) -> bool:
    return path.startswith(f"{FOLDER}/")


def quoted(header: str, path: str) -> bytes:
    """Return how a file at that path below the root includes our header for one of CUDA's."""
    return helpers.quoted(f"{FOLDER}/{header}", path)


def included(
    path: str, data: bytes, headers: Mapping[bytes, tables.Row], own: frozenset[bytes]
) -> Iterator[Edit[bytes]]:
    """Yield the edits of lines that include a header of CUDA (see ``names.included``): ours stands there."""
    for found in INCLUDE.finditer(data):
        row = names.row_of(found, headers, own)
        if row is not None:
            name = (found[1] or found[2]).strip().decode()
            ours = row.hip in helpers.HELPERS
            header = helpers.quoted(row.hip, path) if ours else quoted(name, path)
            yield Edit(found.start(), found.end(), b"#include " + header)


def written(
    files: Mapping[str, bytes], table: bytes, taken: frozenset[bytes] = frozenset()
) -> dict[str, bytes]:
    """Return the headers that the code of a port includes.

    Args:
        files: The code, with lines that include them.
        table: Rows of the source's own.
        taken: Names of HIP that are the program's own.

    Raises:
        UsageError: The source has a folder of that name.
    """
    theirs = next(
        (path for path, data in files.items() if _is_beside(path) and not is_ours(path, data)), None
    )
    if theirs is not None:
        raise UsageError(f"{theirs}: --single-source puts headers into {FOLDER}/", hint="Rename that folder.")
    code = [data for path, data in files.items() if not _is_beside(path) and not helpers.is_ours(path, data)]
    wanted = sorted({name.decode() for data in code for name in _INCLUDED.findall(data)})
    used = {token.text for data in code for token in every_word(data)}
    known = tables.names(table, taken)
    made = {name: _header(name, tables.headers(table), known) for name in wanted}
    if made:
        made[_NAMES] = _names(used, known, code)
    return {f"{FOLDER}/{name}": text.encode() for name, text in made.items()}


def _header(name: str, headers: Mapping[bytes, tables.Row], known: Mapping[bytes, tables.Row]) -> str:
    row = names.row_named(name.encode(), headers)
    hip = row.hip if row is not None else ""
    spaces = [
        f"namespace {space.cuda.removesuffix('::')} = {space.hip.removesuffix('::')};\n"
        for space in known.values()
        if space.cuda.endswith("::") and name.startswith(f"{space.cuda.removesuffix('::')}/")
    ]
    return _guarded(
        name,
        f"// <{name}>, or what HIP has for it.\n",
        f"#if {_IS_AMD}\n#include <{hip or names.RUNTIME.decode()}>\n{''.join(spaces)}"
        f"#else\n#include <{name}>\n#endif\n"
        f'#include "{posixpath.relpath(_NAMES, posixpath.dirname(name) or ".")}"\n',
    )


def _names(used: set[bytes], known: Mapping[bytes, tables.Row], code: Iterable[bytes]) -> str:
    own = {macro.name for data in code for macro in tokenize(data).macros}
    lines = [f"#define {CHOICE.decode()}(hip, ...) hip\n"] if CHOICE in used else []
    lines += [
        f"#define {row.cuda} {row.hip}\n"
        for name, row in sorted(known.items())
        if name in used - own and row.hip != row.cuda and name != _COMPILER
    ]
    lines += [f"#define {name.decode()}(pointer) (*(pointer))\n" for name in sorted(used & accesses.LOADS)]
    lines += [
        f"#define {name.decode()}(pointer, value) (*(pointer) = (value))\n"
        for name in sorted(used & accesses.STORES)
    ]
    otherwise = f"#else\n#define {CHOICE.decode()}(hip, ...) __VA_ARGS__\n" if CHOICE in used else ""
    return _guarded(
        _NAMES,
        "// CUDA's names where a compiler for AMD's devices reads them: those that this source uses.\n",
        f"#if {_IS_AMD}\n{''.join(lines)}{otherwise}#endif\n",
    )


def _guarded(name: str, comment: str, text: str) -> str:
    guard = _guard(f"{FOLDER}/{name}")
    return f"{comment}#ifndef {guard}\n#define {guard}\n\n{text}\n#endif\n"


def _guard(path: str) -> str:
    return re.sub(r"\W", "_", path).upper()
