"""Translations as they stand in a port now: what somebody changed of one is a candidate of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.core import ByRules, Candidate, Inconclusive, Replacement
from transpile.parsers.text.units import Definition, definitions

_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*(<[^>\n]+>)", re.MULTILINE)
_TEXT = "candidate.cu"
"""Name of a file that may hold any of our languages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """Differences of a port from what was assembled."""

    changed: Mapping[str, bytes | None]
    """New texts of functions by name; None of one that is gone, or that is there more than once."""
    added: tuple[bytes, ...]
    """Functions that were not there."""
    headers: tuple[str, ...]
    """Of the system, which were not included."""

    @staticmethod
    def between(assembled: Mapping[str, bytes], found: Mapping[str, bytes]) -> Edits:
        """Compare the files of a port with what is found in their place."""
        paths = [path for path, data in assembled.items() if path in found and found[path] != data]
        texts, others = _texts(assembled, paths), _texts(found, paths)
        changed = {
            name: others[name][0] if len(texts[name]) == len(others.get(name, ())) == 1 else None
            for name in texts
            if texts[name] != others.get(name)
        }
        included = {header for path in paths for header in _headers(assembled[path])}
        headers = (header for path in paths for header in _headers(found[path]) if header not in included)
        return Edits(
            changed=changed,
            added=tuple(text for name, own in others.items() if name not in texts for text in own),
            headers=tuple(dict.fromkeys(headers)),
        )

    def applied(self, candidate: Candidate) -> Candidate | Inconclusive:
        """Return a candidate with what was changed of its functions; the same one where nothing was.

        Nobody vouches for what a person wrote, whoever made what it was written into.
        """
        parts = [self._replaced(item) for item in candidate.replacements]
        lost = next((name for _, names in parts for name in names if self.changed[name] is None), None)
        if lost is not None:
            reason = f"its function `{lost}` can no longer be found in the port"
            return Inconclusive(reason=reason, code="TP513")
        if not any(names for _, names in parts):
            return candidate
        first, *rest = (item for item, _ in parts)
        first = replace(first, text=b"\n\n".join((*self.added, first.text)))
        return replace(
            candidate,
            replacements=(first, *rest),
            headers=tuple(dict.fromkeys((*candidate.headers, *self.headers))),
            origin=ByRules(),
        )

    def _replaced(self, item: Replacement) -> tuple[Replacement, list[str]]:
        """Return a replacement with the new texts of its functions, and the names of those."""
        text, names = item.text, []
        for name, definition in reversed(list(_functions(_TEXT, item.text))):
            if name in self.changed:
                names.append(name)
                new = self.changed[name] or b""
                text = text[: definition.span.start] + new + text[definition.span.end :]
        return replace(item, text=text), names


def _functions(path: str, data: bytes) -> Iterator[tuple[str, Definition]]:
    for item in definitions(path, data):
        yield item.name.rpartition("::")[2], item


def _texts(files: Mapping[str, bytes], paths: Sequence[str]) -> dict[str, list[bytes]]:
    """Return the functions of some files by name."""
    found: dict[str, list[bytes]] = {}
    for path in paths:
        for name, item in _functions(path, files[path]):
            found.setdefault(name, []).append(files[path][item.span.start : item.span.end])
    return found


def _headers(data: bytes) -> Iterator[str]:
    for match in _INCLUDE.finditer(data):
        yield match[1].decode("utf-8", "surrogateescape")
