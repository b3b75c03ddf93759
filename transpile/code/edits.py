"""Places in a text: edits on byte spans (what no edit names stays byte for byte), and lines."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import AnyStr, Generic

from transpile.core import ExtractedLoop, LaunchSite, Source, Span


@dataclass(frozen=True, slots=True)
class Edit(Generic[AnyStr]):
    """New text for the half-open range from start to end; an empty range inserts."""

    start: int
    end: int
    text: AnyStr

    @property
    def span(self) -> Span:
        """Return the range."""
        return Span(start=self.start, end=self.end)


Change = tuple[Edit[bytes], ...]
"""Edits that make sense together only."""


def apply(data: bytes, edits: Iterable[Edit[bytes]]) -> bytes:
    """Apply edits that do not overlap; those at one place go in the order given. ValueError on an overlap."""
    pieces: list[bytes] = []
    at = 0
    for item in sorted(edits, key=lambda item: (item.start, item.end)):
        if item.start < at:
            raise ValueError(f"edits overlap at byte {item.start}")
        pieces += (data[at : item.start], item.text)
        at = item.end
    pieces.append(data[at:])
    return b"".join(pieces)


def apply_outermost(
    text: AnyStr, edits: Iterable[Edit[AnyStr]], start: int = 0, end: int | None = None
) -> AnyStr:
    """Return the range of the text with the edits made in it; of nested edits the outermost counts."""
    end = len(text) if end is None else end
    pieces: list[AnyStr] = []
    at = start
    for item in sorted(edits, key=lambda item: (item.start, -item.end)):
        if item.start < at or item.end > end:
            continue
        pieces += (text[at : item.start], item.text)
        at = item.end
    pieces.append(text[at:end])
    return text[:0].join(pieces)


def moved(span: Span, edits: Sequence[Edit[bytes]]) -> Span:
    """Return where a span lies after edits, none across its ends; what is put in at its start is outside."""
    start = end = 0
    for item in edits:
        shift = len(item.text) - (item.end - item.start)
        if item.end <= span.start:
            start += shift
        if item.end <= span.end and (item.start < span.end):
            end += shift
    return Span(start=span.start + start, end=span.end + end)


def edited(source: Source, found: Mapping[str, Sequence[Edit[bytes]]]) -> Source:
    """Return a source with edits made in its files, every unit, launch and loop where it stands then."""
    files = {path: apply(data, found.get(path, ())) for path, data in source.files.items()}
    units = []
    for unit in source.units:
        span = moved(unit.span, found.get(unit.path, ()))
        units.append(replace(unit, span=span, text=span.of(files[unit.path])))
    launches = tuple(_moved_site(site, found) for site in source.launches)
    extracted = {unit: _moved_loop(loop, found) for unit, loop in source.extracted.items()}
    return replace(source, files=files, units=tuple(units), launches=launches, extracted=extracted)


def _moved_loop(loop: ExtractedLoop, found: Mapping[str, Sequence[Edit[bytes]]]) -> ExtractedLoop:
    """Return a loop that became a function where this and the call of it stand after edits."""
    edits = found.get(loop.path, ())
    return replace(loop, function=moved(loop.function, edits), call=moved(loop.call, edits))


def _moved_site(site: LaunchSite, found: Mapping[str, Sequence[Edit[bytes]]]) -> LaunchSite:
    """Return a launch where it stands after edits, in the macro that makes it as well."""
    macro = site.macro
    if macro is not None:
        macro = replace(macro, span=moved(macro.span, found.get(macro.path, ())))
    return replace(site, span=moved(site.span, found.get(site.path, ())), macro=macro)


def disjoint(changes: Iterable[Change]) -> list[Edit[bytes]]:
    """Return the edits of the changes, without the changes that overlap one before them."""
    kept: list[Edit[bytes]] = []
    spans: list[Span] = []
    for change in changes:
        places = [bisect_right(spans, item.span) for item in change]
        if any(
            (at > 0 and spans[at - 1].end > item.start) or (at < len(spans) and spans[at].start < item.end)
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
