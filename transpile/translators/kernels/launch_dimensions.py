"""Whether all launches of a kernel have blocks of one dimension, as the host's text says."""

from __future__ import annotations

import re

from transpile.code.brackets import enclosed, split
from transpile.code.comments import code
from transpile.core import Source, Unit

_NAME = re.compile(r"[A-Za-z_]\w*")


def in_one_dimension(source: Source, unit: Unit) -> bool:
    """Tell whether no launch may have several threads on y or z: what is not understood may."""
    return all(
        len(site.configuration) > 1
        and _is_line(site.configuration[1].strip(), code(source.files[site.path].decode("latin-1")))
        for site in source.launches
        if site.unit == unit.id
    )


def _is_line(block: str, text: str) -> bool:
    """Tell whether the shape of a block is a number, or is made of one."""
    if re.match(r"dim3\b", block):
        return _has_one(block, 0)
    if _NAME.fullmatch(block) is None:
        return True
    if re.search(rf"\bdim3\b[^;(){{}}=]*\b{block}\s*[;,]|\b{block}\s*\.\s*[yz]\s*=(?!=)", text):
        return False
    made = re.finditer(
        rf"\bdim3\b[^;]*?\b{block}\s*(?:=\s*dim3\s*)?(?=[({{])|\b{block}\s*=\s*(?=dim3\b)", text
    )
    return all(_has_one(text, item.end()) for item in made)


def _has_one(text: str, start: int) -> bool:
    """Tell whether what a ``dim3`` is made from, in the next brackets, has no second number but 1."""
    opened = re.compile(r"[({]").search(text, start)
    inner = enclosed(text, opened.start()) if opened is not None else None
    return inner is not None and all(part.strip() in ("1", "1u", "1U") for part in split(inner)[1:])
