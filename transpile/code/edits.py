"""Places in a text: edits on byte spans (what no edit names stays byte for byte), and lines."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from transpile.core import Source, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """New text for a span; an empty span inserts."""

    span: Span
    text: bytes


Change = tuple[Edit, ...]
"""Edits that make sense together only."""


def edit(start: int, end: int, text: bytes) -> Edit:
    """Return the edit that puts the text in place of the bytes from start to end."""
    return Edit(span=Span(start=start, end=end), text=text)


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Apply edits that do not overlap; those at one place go in the order given. ValueError on an overlap."""
    pieces: list[bytes] = []
    at = 0
    for item in sorted(edits, key=lambda item: (item.span.start, item.span.end)):
        if item.span.start < at:
            raise ValueError(f"edits overlap at byte {item.span.start}")
        pieces += (data[at : item.span.start], item.text)
        at = item.span.end
    pieces.append(data[at:])
    return b"".join(pieces)


def moved(span: Span, edits: Sequence[Edit]) -> Span:
    """Return where a span lies after edits, none across its ends; what is put in at its start is outside."""
    start = end = 0
    for item in edits:
        shift = len(item.text) - (item.span.end - item.span.start)
        if item.span.end <= span.start:
            start += shift
        if item.span.end <= span.end and (item.span.start < span.end):
            end += shift
    return Span(start=span.start + start, end=span.end + end)


def edited(source: Source, found: Mapping[str, Sequence[Edit]]) -> Source:
    """Return a source with edits made in its files, every unit and launch where it stands then."""
    files = {path: apply(data, found.get(path, ())) for path, data in source.files.items()}
    units = []
    for unit in source.units:
        span = moved(unit.span, found.get(unit.path, ()))
        units.append(replace(unit, span=span, text=span.of(files[unit.path])))
    launches = tuple(
        replace(site, span=moved(site.span, found.get(site.path, ()))) for site in source.launches
    )
    return replace(source, files=files, units=tuple(units), launches=launches)


def disjoint(changes: Iterable[Change]) -> list[Edit]:
    """Return the edits of the changes, without the changes that overlap one before them."""
    kept: list[Edit] = []
    spans: list[Span] = []
    for change in changes:
        places = [bisect_right(spans, item.span) for item in change]
        if any(
            (at > 0 and spans[at - 1].end > item.span.start)
            or (at < len(spans) and spans[at].start < item.span.end)
            for at, item in zip(places, change, strict=True)
        ):
            continue
        kept += change
        for item in change:
            insort(spans, item.span)
    return kept


def line_ends(removed: bytes) -> bytes:
    """Return line ends that keep later lines in their place; escaped where they were (in a macro)."""
    escaped = len(re.findall(rb"\\\r?\n", removed))
    return b"\\\n" * escaped + b"\n" * (removed.count(b"\n") - escaped)


def line_of(data: bytes, offset: int) -> int:
    """Return the number of the line, from 1, that a byte stands in."""
    return bisect_right(_line_starts(data), offset)


def column_of(data: bytes, offset: int) -> int:
    """Return the place in its line, from 1, of a byte."""
    return offset - (data.rfind(b"\n", 0, offset) + 1) + 1


@lru_cache(maxsize=64)
def _line_starts(data: bytes) -> array[int]:
    starts = array("q", [0])
    at = data.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = data.find(b"\n", at + 1)
    return starts
