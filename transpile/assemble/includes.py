"""The ``#include`` lines that a ported file needs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from transpile.assemble.host_code.vocabulary import OTHER_HEADERS, RUNTIME_HEADERS, Level
from transpile.code.conditionals import open_conditionals

_LINE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"][^\n]*(?:\n|\Z)', re.MULTILINE)
_GUARD = re.compile(rb"^[ \t]*#[ \t]*(?:pragma[ \t]+once|define[ \t]+\w+)[ \t]*\r?$", re.MULTILINE)
_FALLBACK = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+cudaError_t\b|\btypedef\b[^;]*\bcudaError_t[ \t]*;", re.MULTILINE
)
"""A file that declares CUDA's types itself where it does not include them: the condition counts."""
_LEADING = re.compile(rb"(?:\s*(?://[^\n]*\n|/\*[\s\S]*?\*/[ \t]*\n?))*\s*")
EMULATOR = b"#include <simt/simt.h>\n"
DRIVER = b"cuda.h"
"""Stays where the emulator is there: what it declares beside the runtime may be named in other files."""
TYPES = b"#include <vector_types.h>\n#include <vector_functions.h>\n"


def with_includes(
    data: bytes,
    needed: Level,
    standard: Iterable[str] = (),
    *,
    c_linkage: bool = False,
    shared_with_c: bool = False,
) -> bytes:
    """Return the text with CUDA's headers replaced by what the port has, and standard headers added.

    What others include within ``extern "C"`` has ``c_linkage``, which templates of headers may not have. What
    files of C include is ``shared_with_c``, which has no such headers.
    """

    def linked(lines: bytes) -> bytes:
        return _linked(lines, c_linkage, shared_with_c)

    stays = needed is Level.ALL
    first = _first_runtime(data)
    alone = first is not None and (_FALLBACK.search(data) or not _own_before(data, first.start()))
    mark = first.start() if first is not None and alone else None
    parts, at = [], 0
    for match in _LINE.finditer(data):
        if _is_cudas(match.group(2), stays):
            parts.append(data[at : match.start()])
            if match.start() == mark:
                parts.append(linked(_wanted(needed)))
            at = match.end()
    text = b"".join((*parts, data[at:]))
    if mark is None and needed is not Level.NONE:
        text = _inserted(text, linked(_wanted(needed)))
    return with_standard(text, standard, c_linkage=c_linkage, shared_with_c=shared_with_c)


def with_standard(
    text: bytes, headers: Iterable[str], *, c_linkage: bool = False, shared_with_c: bool = False
) -> bytes:
    """Return a text that includes standard headers as well, those that it does not include yet."""
    present = {match.group(2).decode() for match in _LINE.finditer(text)}
    missing = sorted({header.strip("<>") for header in headers} - present)
    lines = b"".join(b"#include <%s>\n" % header.encode() for header in missing)
    return _inserted(text, _linked(lines, c_linkage, shared_with_c)) if missing else text


def _linked(lines: bytes, c_linkage: bool, shared_with_c: bool) -> bytes:
    if c_linkage and lines:
        lines = b'extern "C++" {\n%s}\n' % lines
    return b"#ifdef __cplusplus\n%s#endif\n" % lines if shared_with_c and lines else lines


def _wanted(needed: Level) -> bytes:
    return {Level.ALL: EMULATOR, Level.TYPES: TYPES, Level.NONE: b""}[needed]


def _is_cudas(header: bytes, emulated: bool) -> bool:
    if emulated and header == DRIVER:
        return False
    stem = re.sub(rb"\.(?:h|hpp|cuh)$", b"", header)
    if RUNTIME_HEADERS.fullmatch(stem):
        return True
    return not emulated and OTHER_HEADERS.fullmatch(stem) is not None


def _first_runtime(data: bytes) -> re.Match[bytes] | None:
    for match in _LINE.finditer(data):
        if RUNTIME_HEADERS.fullmatch(re.sub(rb"\.h$", b"", match.group(2))):
            return match
    return None


def _own_before(data: bytes, position: int) -> bool:
    """Tell whether code or a header that may need CUDA (one of the source's own) stands earlier."""
    for match in _LINE.finditer(data, 0, position):
        if match.group(1) == b'"' or OTHER_HEADERS.match(match.group(2)):
            return True
    before = _LINE.sub(b"", data[:position])
    code = re.sub(rb"^[ \t]*#[^\n]*$|//[^\n]*|/\*[\s\S]*?\*/", b"", before, flags=re.MULTILINE).strip()
    return bool(code) or open_conditionals(before) > 0


def _inserted(data: bytes, lines: bytes) -> bytes:
    """Insert include lines before the first include; without one, after the guard or the leading comment."""
    first = _LINE.search(data)
    if first is not None and not _own_before(data, first.start()):
        return data[: first.start()] + lines + data[first.start() :]
    leading = _LEADING.match(data)
    at = leading.end() if leading else 0
    guard = _GUARD.search(data)
    if guard is not None and _is_guard(data, guard):
        at = min(guard.end() + 1, len(data))
        return data[:at] + b"\n" + lines + data[at:]
    return data[:at] + lines + (b"\n" if data[at : at + 1] not in (b"#", b"\n") else b"") + data[at:]


def _is_guard(data: bytes, found: re.Match[bytes]) -> bool:
    before = re.sub(rb"//[^\n]*|/\*[\s\S]*?\*/", b"", data[: found.start()]).strip()
    return b"pragma" in found.group() or re.fullmatch(rb"#[ \t]*ifndef[ \t]+\w+", before) is not None
