"""Contamination: rows that hold what is kept back for measuring, under any names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transpile.core import digest
from transpile.datasets.likeness import tokens, windows
from transpile.errors import UsageError

_RUN = 16
"""Tokens in a row: fewer are shared by loops that have nothing else in common."""
_SHARE = 0.6
"""Of the runs of a row, those that stand in what is kept back."""
_LARGEST = 64 << 20
_SUFFIXES = frozenset(
    (".c", ".cc", ".cpp", ".cu", ".cuh", ".cxx", ".f90", ".h", ".hip", ".hpp", ".json", ".jsonl", ".txt")
)


@dataclass(frozen=True, slots=True)
class KeptBack:
    """Texts that no row may hold: runs of tokens, and whole short ones."""

    runs: frozenset[str]
    wholes: frozenset[str]

    def holds(self, text: str) -> bool:
        """Tell whether a text is, for the most part, one of what is kept back."""
        if _whole(text) in self.wholes:
            return True
        own = {_short(run) for run in windows(text, _RUN)}
        return bool(own) and len(own & self.runs) >= _SHARE * len(own)


def kept_back(paths: Iterable[Path]) -> KeptBack:
    """Return what stands in files, or in all files of code and JSON below directories.

    Raises:
        UsageError: A path cannot be read, or nothing is in it: a check that checks nothing would pass.
    """
    runs: set[str] = set()
    wholes: set[str] = set()
    for path in paths:
        before = len(wholes)
        for text in _texts(path):
            runs |= {_short(run) for run in windows(text, _RUN)}
            wholes.add(_whole(text))
        if len(wholes) == before:
            raise UsageError(f"{path}: there is no code in it to keep out of a data set")
    return KeptBack(frozenset(runs), frozenset(wholes))


def _short(run: bytes) -> str:
    return digest(run)[:16]


def _whole(text: str) -> str:
    return digest(*tokens(text))


def _texts(path: Path) -> Iterator[str]:
    try:
        files = sorted(item for item in path.rglob("*") if item.is_file()) if path.is_dir() else [path]
        for file in files:
            if path.is_dir() and file.suffix.lower() not in _SUFFIXES:
                continue
            if file.stat().st_size > _LARGEST:
                raise UsageError(f"{file}: it is too large to be kept out of a data set")
            yield from _of_file(file)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


def _of_file(file: Path) -> Iterator[str]:
    """Yield the texts of a file: of JSON its strings, which are the code of suites."""
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix.lower() not in (".json", ".jsonl"):
        yield text
        return
    for part in text.splitlines() if file.suffix.lower() == ".jsonl" else [text]:
        try:
            yield from _strings(json.loads(part)) if part.strip() else ()
        except (ValueError, RecursionError):
            yield part


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _strings(item)
        case dict():
            for item in value.values():
                yield from _strings(item)
        case _:
            pass
