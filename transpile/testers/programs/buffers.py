"""Compare the buffers that two runs recorded where the source copied them back from the device."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from transpile import foreign

RELATIVE = 1e-3
"""Tolerance of elements, relative to themselves."""
SCALE = 1e-5
"""The same, relative to the largest element of the buffer."""
_LARGEST = 1 << 30
"""Bytes of a recording that is read."""

Floating = type[np.float32] | type[np.float64]
_FLOATS: dict[str, Floating] = {"float": np.float32, "double": np.float64}
_VECTOR = re.compile(r"(float|double)[1-4]$")
_INTEGERS = re.compile(
    r"(?:(?:un)?signed|char|short|int|long|bool|size_t|u?int\d+_t|uchar|ushort|uint|ulong|[\s]|u?(?:char|short|int|long)[1-4])+$"
)


@dataclass(frozen=True, slots=True)
class Buffer:
    """A recorded copy: its label, its size, its digest and its first bytes."""

    label: str
    size: int
    digest: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Recording:
    """What a run recorded: launches as read from JSON, and buffers in order."""

    launches: tuple[dict[str, object], ...]
    buffers: tuple[Buffer, ...]


def read_recording(directory: Path, name: str) -> Recording:
    """Read what a run recorded in a directory that it may write in; a cut last line is left out.

    It is empty where the run wrote none, or put anything but a file there.
    """
    launches: list[dict[str, object]] = []
    buffers: list[Buffer] = []
    data = _written(directory, name + ".bytes")
    for line in _written(directory, name).splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            break
        if row.get("copy") == 0:
            continue
        if "copy" in row:
            part = data[row["offset"] : row["offset"] + row["kept"]]
            buffers.append(Buffer(row["label"], row["copy"], row["digest"], part))
        else:
            launches.append(row)
    return Recording(tuple(launches), tuple(buffers))


def _written(directory: Path, name: str) -> bytes:
    try:
        return foreign.read(directory, name, most=_LARGEST)
    except OSError:
        return b""


def difference(runs: Sequence[Recording], ported: Recording) -> tuple[str, str, str] | None:
    """Return where the port's buffers part from the source's, and both values there; None where they agree.

    A buffer whose bytes differ between runs of the source is compared with tolerance like any other, and not
    at all where it differs beyond it.
    """
    first = runs[0].buffers
    if len(first) != len(ported.buffers):
        return "copies from the device", str(len(first)), str(len(ported.buffers))
    for index, (buffer, other) in enumerate(zip(first, ported.buffers, strict=True)):
        place = f"buffer {index} ({other.label.partition(' ')[0]})"
        if buffer.size != other.size:
            return place, f"{buffer.size} bytes", f"{other.size} bytes"
        kind = other.label.partition(" ")[2]
        siblings = [run.buffers[index] for run in runs[1:] if index < len(run.buffers)]
        if any(_part(buffer, sibling, kind) is not None for sibling in siblings):
            continue
        found = _part(buffer, other, kind)
        if found is not None:
            return f"{place}, byte {found[0]}", found[1], found[2]
    return None


def _part(one: Buffer, other: Buffer, kind: str) -> tuple[int, str, str] | None:
    """Return the offset and values of the first elements that differ."""
    if one.digest == other.digest:
        return None
    size = min(len(one.data), len(other.data))
    left, right = one.data[:size], other.data[:size]
    if left == right:
        return None
    failures = [unlike(left, right, view) for view in _views(kind, size)]
    if not failures or None in failures:
        at = None if failures else _first_byte(left, right)
        return None if at is None else (at, left[at : at + 8].hex(), right[at : at + 8].hex())
    return failures[0]


def _views(kind: str, size: int) -> list[Floating]:
    """Return how a buffer's bytes may be read as floating point; none for integers."""
    kind = kind.strip()
    vector = _VECTOR.match(kind)
    plain = vector.group(1) if vector else kind
    if plain in _FLOATS:
        return [_FLOATS[plain]] if size % np.dtype(_FLOATS[plain]).itemsize == 0 else []
    if _INTEGERS.match(kind):
        return []
    views: list[Floating] = []
    if size % 4 == 0:
        views.append(np.float32)
    if size % 8 == 0:
        views.append(np.float64)
    return views


def unlike(left: bytes, right: bytes, view: Floating) -> tuple[int, str, str] | None:
    """Return the offset and values of the first numbers that are apart beyond the tolerance, if any are."""
    one: NDArray[np.float64] = np.frombuffer(left, view).astype(np.float64)
    other: NDArray[np.float64] = np.frombuffer(right, view).astype(np.float64)
    width = np.dtype(view).itemsize
    same = np.frombuffer(left, f"V{width}") == np.frombuffer(right, f"V{width}")
    finite = np.isfinite(one) & np.isfinite(other)
    largest = float(np.max(np.abs(one[finite]), initial=0.0))
    tiny = float(np.finfo(view).tiny)
    plausible = finite & ((np.abs(one) >= tiny) | (one == 0)) & ((np.abs(other) >= tiny) | (other == 0))
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(one - other) <= RELATIVE * np.abs(one) + SCALE * min(largest, 1e30)
    # memory that the source never wrote holds the emulator's poison, which is a NaN
    good = same | (plausible & close) | np.isnan(one)
    if bool(good.all()):
        return None
    at = int(np.argmin(good))
    return at * width, repr(float(one[at])), repr(float(other[at]))


def _first_byte(left: bytes, right: bytes) -> int:
    return next(index for index, (a, b) in enumerate(zip(left, right, strict=True)) if a != b)
