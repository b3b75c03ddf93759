"""Complaints of libclang about a translation unit: headers, names and templates that it does not find."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from transpile.core import Diagnostic, Severity
from transpile.parsers.files.includes import ending
from transpile.parsers.lowering.declarations import Damage
from transpile.parsers.lowering.excerpts import is_of_library
from transpile.parsers.types import clang
from transpile.parsers.types.functions import Functions

_NOT_FOUND = re.compile(r"'(.*)' file not found")
_UNKNOWN = re.compile(
    r"\bundeclared\b|\bunknown\b|\bno (?:type|member|template|namespace) named\b|\bincomplete\b"
    r"|\bno matching (?:member )?function\b"
)
"""Words of libclang for a name that nothing declares; it also has complaints of its own."""


class Complaints:
    """Complaints about one translation unit, by the file of the source that they are about."""

    def __init__(self, root: Path, files: Mapping[str, bytes], parsed: Any, functions: Functions) -> None:
        """Keep what was parsed.

        Args:
            root: Of the source.
            files: Its code.
            parsed: The translation unit.
            functions: What the walk over it found.
        """
        self._root = root
        self._files = files
        self._parsed = parsed
        self._file_of = functions.file_of

    def missing_headers(self) -> Iterator[Diagnostic]:
        """Yield the headers that the source includes and that neither it nor the emulator has."""
        for header, path, item in self._missing():
            yield Diagnostic(
                code="TP102",
                severity=Severity.WARNING,
                path=path,
                line=item.location.line,
                column=item.location.column,
                message=f"the header `{header}` is not found",
                hint=f"give its directory with -I{self._place(header)};"
                " without it, what needs it is not judged",
            )

    def _missing(self) -> Iterator[tuple[str, str, Any]]:
        """Yield each missing header, the file that includes it, and what the parser says."""
        for item in self._parsed.diagnostics:
            match = _NOT_FOUND.match(item.spelling)
            path = self._file_of(item) if match else ""
            if match and path:
                yield match[1], path, item

    def damage(self) -> Damage | None:
        """Return what is not understood; None where all is, or where a header of the project is missing."""
        missing = list(self._missing())
        if not all(self._is_of_library(*found) for found in missing):
            return None
        errors: dict[str, list[int]] = {}
        for item in self._parsed.diagnostics:
            for place in self._blamed(item) if item.severity >= clang.ERROR else ():
                errors.setdefault(self._file_of(place), []).append(place.location.offset)
        headers = frozenset(header for header, _, _ in missing)
        known = {path: tuple(found) for path, found in errors.items() if path}
        return Damage(headers=headers, errors=known) if headers or known else None

    def _blamed(self, said: Any) -> Iterator[Any]:
        """Yield where a file asks for what is not there: itself, or through a template of ours."""
        if self._file_of(said):
            if _UNKNOWN.search(said.spelling):
                yield said
            return
        for note in said.children:
            if note.spelling.endswith("requested here") and self._file_of(note):
                yield note

    def _is_of_library(self, header: str, path: str, said: Any) -> bool:
        line = self._files[path].split(b"\n")[said.location.line - 1]
        return is_of_library(header, quoted=b'"' in line)

    def _place(self, header: str) -> str:
        """Return the directory from which a file of the source would be found, behind a blank."""
        found = next(ending(sorted(self._files), header), None)
        return "" if found is None else f" {self._root / found.removesuffix(header)}"
