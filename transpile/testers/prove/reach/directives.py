"""Directives of OpenMP in a function: the statements that they are about, and the names in their clauses."""

from __future__ import annotations

import re
from typing import Any

from transpile.testers.prove.tree import NotModelled

Cursor = Any

_PRAGMA = re.compile(rb"^[ \t]*#[ \t]*pragma\b((?:[^\n\\]|\\\r?\n|\\.)*)\n", re.MULTILINE)
_BLANK = re.compile(rb"(?:\s+|//[^\n]*\n|/\*.*?\*/)*", re.DOTALL)
_CONDITIONAL = re.compile(rb"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|else|elif|define|undef)\b", re.MULTILINE)
_OF_NOTHING = re.compile(
    r"(?!\s*omp\b)|\s*omp\s+(?:barrier|taskwait|taskyield|flush|cancel|cancellation|scan|threadprivate)\b"
)
"""Directives that are about no statement, and ones that are none of OpenMP."""
_HARMLESS = re.compile(
    r"\b(?:shared|private|firstprivate|if|num_threads|schedule|collapse|default|grainsize|num_tasks|final"
    r"|priority|safelen|simdlen|ordered|proc_bind)\s*\("
)
_COMMENTED = re.compile(rb"/\*(?:(?!\*/).)*#[ \t]*pragma", re.DOTALL)
_OWN = re.compile(r"\bprivate\s*\(([^()]*)\)")
_SHARED_OUT = re.compile(r"\b(?:for|simd|taskloop|distribute)\b")
_COLLAPSED = re.compile(r"\bcollapse\s*\(\s*(\d+)\s*\)")
_OTHERS = re.compile(
    r"\b(?:parallel|task|taskloop|target|teams|distribute|single|master|masked|sections?|ordered|atomic|loop"
    r"|scope|workshare)\b"
)
"""Directives of statements that a thread does not execute, or not alone, as it comes to them."""
_FIRST = re.compile(r"\bfirstprivate\s*\(([^()]*)\)")
_LATER = re.compile(r"\b(?:task|taskloop|target|teams|distribute)\b")
_TEAM = re.compile(r"\b(?:parallel|teams|target)\b")
_WORD = re.compile(r"[A-Za-z_]\w*")


class Directives:
    """The directives within a function."""

    def __init__(self, data: bytes, function: Cursor) -> None:
        """Read them.

        Args:
            data: The file that the function stands in.
            function: Its definition.

        Raises:
            NotModelled: What is compiled depends on ``#if``, or a directive is a part of a comment.
        """
        start, end = function.extent.start.offset, function.extent.end.offset
        if _CONDITIONAL.search(data, start, end) or _COMMENTED.search(data, start, end):
            raise NotModelled("text that is compiled on a condition")
        self._at: dict[int, str] = {}
        self._named: set[str] = set()
        for match in _PRAGMA.finditer(data, start, end):
            text = match[1].decode("utf-8", "replace").replace("\\", " ")
            self._named |= {*_WORD.findall(_without_harmless(text))}
            if not _OF_NOTHING.match(text):
                place = _statement(data, match.end())
                self._at[place] = f"{self._at.get(place, '')} {text}"

    def at(self, offset: int) -> str | None:
        """Return the directives before a statement that begins at an offset; None where there are none."""
        return self._at.get(offset)

    def changes(self, name: str) -> bool:
        """Tell whether a clause may say that a variable is another one in what follows."""
        return name in self._named


def is_team(directives: str) -> bool:
    """Tell whether other threads execute what follows than the statement around it."""
    return _TEAM.search(directives) is not None


def is_deferred(directives: str) -> bool:
    """Tell whether what follows may run later than it stands, or elsewhere."""
    return _LATER.search(directives) is not None


def copied(directives: str) -> frozenset[str]:
    """Return the names whose values what follows keeps from where it stands."""
    return frozenset(word for names in _FIRST.findall(directives) for word in _WORD.findall(names))


def owned(directives: str) -> frozenset[str]:
    """Return the names of variables that each thread has a copy of, without a value at first."""
    return frozenset(word for names in _OWN.findall(directives) for word in _WORD.findall(names))


def counted(directives: str) -> int:
    """Return how many nested loops are shared out together: each thread counts them for itself."""
    levels = _COLLAPSED.search(directives)
    return int(levels[1]) if levels else int(_SHARED_OUT.search(directives) is not None)


def is_own(directives: str) -> bool:
    """Tell whether a thread that comes to a statement executes it, or its share of it, then and there."""
    return _OTHERS.search(directives) is None


def _without_harmless(text: str) -> str:
    """Return a directive without the clauses that leave their variables as they are."""
    kept, place = "", 0
    while (found := _HARMLESS.search(text, place)) is not None:
        kept += text[place : found.start()]
        place, depth = found.end(), 1
        while place < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            place += 1
    return kept + text[place:]


def _statement(data: bytes, place: int) -> int:
    """Return where the statement begins that follows a directive, and others after it."""
    while True:
        found = _BLANK.match(data, place)
        place = found.end() if found else place
        start = data.rfind(b"\n", 0, place) + 1
        another = _PRAGMA.match(data, start)
        if another is None or another.end() <= place:
            return place
        place = another.end()
