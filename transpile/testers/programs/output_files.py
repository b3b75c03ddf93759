"""Compare the files that two runs of a program write in its directory.

Text is compared as what a program prints (see ``output``). Of binary files nobody tells the layout: they
agree where they are equal, or where both hold nothing but floating-point numbers that agree.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from transpile import foreign
from transpile.testers.programs import output
from transpile.testers.programs.buffers import Floating, unlike

_CHUNK = 1 << 20
_CONTROL = re.compile(rb"[^\t-\r\x1b -\xff]")
"""Bytes that no text holds: the null byte and most of its like."""
_LINES = 10_000
_DEEPEST = 64
"""Folders within folders that are looked into."""
_PLAUSIBLE = (1e-30, 1e30)
"""Magnitudes of numbers that programs write; other data, read as such numbers, is seldom within these."""
_FLOATS: tuple[Floating, ...] = (np.float64, np.float32)


@dataclass(frozen=True, slots=True)
class Written:
    """A name under which a run left something."""

    kind: str
    """Of what is no regular file; empty for a file."""
    digest: str = ""
    data: bytes | None = None
    """The whole file; None where it is larger than what is held."""


class Incomparable(Exception):
    """Files differ, and nobody can tell whether by rounding; its text says which, and why."""


def written(
    tree: Path, before: Mapping[str, bytes], data: Mapping[str, str] | None = None
) -> Mapping[str, Written]:
    """Return what a run wrote or changed below a directory.

    Args:
        tree: The directory.
        before: Texts that it held.
        data: Digests of other files that it held.
    """
    digests = data or {}
    found: dict[str, Written] = {}
    for name, kind in sorted(_entries(tree, "", 0)):
        item = Written(kind) if kind else _read(tree, name)
        if digests.get(name) == item.digest:
            continue
        if item.data is None or before.get(name) != item.data:
            found[name] = item
    return found


def _entries(tree: Path, below: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the names of what lies there, and what it is; links are not followed."""
    try:
        with os.scandir(tree / below) as entries:
            for entry in list(entries):
                name = f"{below}/{entry.name}" if below else entry.name
                if not entry.is_dir(follow_symlinks=False):
                    regular = stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode)
                    yield name, "" if regular else "no regular file"
                elif depth < _DEEPEST:
                    yield from _entries(tree, name, depth + 1)
                else:
                    yield name, "a folder too deep"
    except OSError:
        yield below, "a folder that cannot be read"


def _read(tree: Path, name: str) -> Written:
    digest = hashlib.sha256()
    held = bytearray()
    try:
        with foreign.opened(tree, name) as file:
            while data := file.read(_CHUNK):
                digest.update(data)
                if len(held) <= foreign.LARGEST:
                    held += data
    except OSError:
        return Written("a file that cannot be read")
    return Written("", digest.hexdigest(), bytes(held) if len(held) <= foreign.LARGEST else None)


def compared(runs: Sequence[Mapping[str, Written]]) -> Sequence[str]:
    """Return the names of the files that every run of the source writes."""
    return [name for name in runs[0] if all(name in run for run in runs[1:])]


def difference(
    runs: Sequence[Mapping[str, Written]], ported: Mapping[str, Written]
) -> tuple[str, str, str] | None:
    """Return where a port's files part from those of its source, and both texts there; None where they agree.

    ``runs`` holds the files of several runs of the source. What differs among them is not compared.

    Raises:
        Incomparable: A file differs in a way that rounding may explain, or the source's own runs do.
    """
    doubt: Incomparable | None = None
    for name in compared(runs):
        if name not in ported:
            return name, "a file", "none"
        try:
            found = _difference(name, [run[name] for run in runs], ported[name])
        except Incomparable as error:
            doubt = doubt or error
        else:
            if found is not None:
                return found
    steady = all(run.keys() == runs[0].keys() for run in runs)
    for name in ported.keys() - runs[0].keys() if steady else ():
        return name, "none", "a file"
    if doubt is not None:
        raise doubt
    return None


def _difference(name: str, runs: Sequence[Written], ported: Written) -> tuple[str, str, str] | None:
    first = runs[0]
    if ported.kind != first.kind:
        return name, first.kind or "a file", ported.kind or "a file"
    if ported.digest in {run.digest for run in runs}:
        return None
    texts = [run.data for run in runs if run.data is not None]
    if len(texts) < len(runs) or ported.data is None:
        raise Incomparable(f"{name} differs, and is larger than {foreign.LARGEST >> 20} MiB")
    if all(_is_text(data) for data in (*texts, ported.data)):
        return _text(name, texts, ported.data)
    return _binary(name, texts, ported.data)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return _CONTROL.search(data) is None


def _text(name: str, runs: Sequence[bytes], ported: bytes) -> tuple[str, str, str] | None:
    """Compare some lines at a time, so that tokens of a long file are not held all at once."""
    texts = [data.splitlines() for data in (*runs, ported)]
    if len({len(lines) for lines in texts[:-1]}) > 1:
        raise Incomparable(f"runs of the source write {name} in different ways")
    if len(texts[0]) != len(texts[-1]):
        return name, f"{len(texts[0])} lines", f"{len(texts[-1])} lines"
    for start in range(0, len(texts[0]), _LINES):
        *source, got = (b"\n".join(lines[start : start + _LINES]) for lines in texts)
        if got in source:
            continue
        if not output.comparable(source):
            raise Incomparable(f"runs of the source write {name} in different ways")
        found = output.difference(source, got, name, start + 1)
        if found is not None:
            return found
    return None


def _binary(name: str, runs: Sequence[bytes], ported: bytes) -> tuple[str, str, str] | None:
    """Compare what is no text: as numbers, where it can be nothing else."""
    first = runs[0]
    if any(data != first for data in runs):
        raise Incomparable(f"runs of the source write {name} in different ways")
    if len(ported) != len(first):
        return name, f"{len(first)} bytes", f"{len(ported)} bytes"
    for floating in _FLOATS:
        width = np.dtype(floating).itemsize
        if len(first) % width == 0 and _all_plausible(np.frombuffer(first, floating).astype(np.float64)):
            found = unlike(first, ported, floating)
            return None if found is None else (f"{name}, number {found[0] // width}", *found[1:])
    place = next(index for index, (one, other) in enumerate(zip(first, ported, strict=True)) if one != other)
    raise Incomparable(f"{name} differs from byte {place} on, and nothing tells what it holds")


def _all_plausible(numbers: NDArray[np.float64]) -> bool:
    """Tell whether data, read as such numbers, looks like numbers that a program computed."""
    sizes = np.abs(numbers)
    return bool((((sizes >= _PLAUSIBLE[0]) & (sizes <= _PLAUSIBLE[1])) | (sizes == 0)).all())
