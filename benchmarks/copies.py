"""Spoil the copies of a CUDA port, one at a time: an element short, an element long, by another formula."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from transpile.core import Candidate

_SIZE = re.compile(r"const size_t (\w+)_size = (.*?\? )(sizeof\((?P<type>[^()]*)\) \* )(.*?)( : 0;)")
_COPY = re.compile(r"cudaMemcpy\((\w+), (\w+), (\w+)_size, (cudaMemcpy\w+)\)")


def spoilt(text: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return what was done, with the text, for every way to spoil one copy."""
    found = []
    sizes = list(_SIZE.finditer(text))
    for one in sizes:
        array, kind = one[1], one["type"]
        short = f"{array}_size > sizeof({kind}) ? {array}_size - sizeof({kind}) : 0"
        for copied in _COPY.finditer(text):
            if copied[3] != array:
                continue
            way = "in" if copied[4].endswith("ToDevice") else "out"
            call = copied[0].replace(f"{array}_size", f"({short})")
            found.append((f"short copy {way}: {array}", _put(text, copied.span(), call)))
        less = f"const size_t {array}_size = {one[2]}{one[3]}(({one[5]}) - 1){one[6]}"
        found.append((f"short allocation and copies: {array}", _put(text, one.span(), less)))
        more = f"const size_t {array}_size = {one[2]}{one[3]}(({one[5]}) + 1){one[6]}"
        found.append((f"long allocation and copies: {array}", _put(text, one.span(), more)))
        others = {other[5] for other in sizes if other[5] != one[5]}
        others |= {name for name in names if re.search(rf"\b(?:int|long|size_t) {name}\b", text)} - {one[5]}
        for other in sorted(others):
            size = f"const size_t {array}_size = ({other}) > 0 ? {one[3]}({other}){one[6]}"
            found.append((f"another formula: {array} has {other}", _put(text, one.span(), size)))
    return found


def replaced(candidate: Candidate, text: str) -> Candidate:
    """Return a candidate with another text."""
    first, *others = candidate.replacements
    return replace(candidate, replacements=(replace(first, text=text.encode()), *others))


def _put(text: str, span: tuple[int, int], new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]
