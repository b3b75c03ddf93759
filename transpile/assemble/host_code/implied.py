"""Standard headers that nvcc includes into every ``.cu`` by itself, and that a port has to name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from transpile.assemble.host_code.standard import brought, functions_of, is_c_style, spelled
from transpile.parsers.files.comments import without_comments
from transpile.parsers.files.includes import lookups

_EMULATOR = "simt/simt.h"
"""Brings what ``cuda_runtime.h`` does."""
_CALLS = {stem: functions_of(stem) for stem in ("stdlib", "string", "math")}
_NAMES = {
    "stddef": r"size_t|ptrdiff_t",
    "stdlib": r"EXIT_(?:SUCCESS|FAILURE)|RAND_MAX",
    "time": r"clock_t|time_t|CLOCKS_PER_SEC",
    "limits": r"(?:INT|UINT|LONG|ULONG|CHAR|SHRT)_(?:MAX|MIN)|CHAR_BIT",
}
_STD = {
    "algorithm": r"min|max",
    "utility": r"swap|move|pair|make_pair",
}
_MODEST = frozenset(
    (
        *("cassert", "climits", "cfloat", "cstdint", "limits", "utility", "vector", "atomic", "array"),
        *("type_traits", "map", "assert.h", "limits.h", "stdint.h", "float.h"),
    )
)
"""Headers that do not declare ``size_t`` outside of ``std``, nor bring one that does (libstdc++ 12)."""
_INCLUDES = re.compile(r"^[ \t]*#[ \t]*include[^\n]*$", re.MULTILINE)


def implied(files: Mapping[str, bytes], paths: Sequence[str]) -> dict[str, set[str]]:
    """Return the standard headers that files use though nothing includes them before, by file.

    Args:
        files: The port.
        paths: The files that were compiled as CUDA.
    """
    found: dict[str, set[str]] = {}
    for path in paths:
        if path in files:
            _Reader(files, found).visit(path)
    return found


class _Reader:
    """Reads a translation unit in the order of a compiler."""

    def __init__(self, files: Mapping[str, bytes], found: dict[str, set[str]]) -> None:
        self._files = files
        self._directories = sorted({posixpath.dirname(path) for path in files})
        self._visited: set[str] = set()
        self._present: set[str] = set()
        self._found = found

    def visit(self, path: str) -> None:
        """Take note of what a file uses that no header brings, once its own headers are read."""
        self._visited.add(path)
        for name, place in lookups(self._files, path, self._directories):
            if place is None:
                self._present.add(name)
            elif place not in self._visited:
                self.visit(place)
        self._present |= self._found.get(path, set())
        data = self._files[path]
        for header in () if _EMULATOR in self._present else _used(data):
            if not brought(header, self._present) and not (header == "stddef" and _has_size(self._present)):
                added = spelled(header, is_c_style(data))
                self._found.setdefault(path, set()).add(added)
                self._present.add(added)


def _has_size(present: Collection[str]) -> bool:
    """Tell whether some header declares ``size_t``, as nearly all do."""
    return any("/" not in name and name not in _MODEST for name in present)


def _used(data: bytes) -> Iterator[str]:
    """Yield the headers of which a text uses something that comes with ``cuda_runtime.h``."""
    text = _INCLUDES.sub("", without_comments(data).decode("utf-8", "surrogateescape"))
    calls = {match.group(1) for match in re.finditer(r"(?<![\w.>])(?:(?:std)?::)?(\w+)\s*\(", text)}
    for header, functions in _CALLS.items():
        if calls & functions:
            yield header
    for header, names in _NAMES.items():
        if re.search(rf"\b(?:{names})\b", text):
            yield header
    if re.search(r"(?<![\w.>:])(?:std::)?(?:clock\s*\(\s*\)|time\s*\(\s*(?:NULL|0|nullptr)\s*\))", text):
        yield "time"
    for header, names in _STD.items():
        if re.search(rf"\bstd::(?:{names})\b", text):
            yield header
