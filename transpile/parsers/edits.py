"""Edits on byte spans: what no edit names stays as it is, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from transpile.core import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """New text for a span; an empty span inserts."""

    span: Span
    text: bytes


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
