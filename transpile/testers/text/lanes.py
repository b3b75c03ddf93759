"""Loops that may run in lanes of a vector: on threads instead, so that races between iterations are seen.

Which iterations run at once is a matter of the machine: where vectors of four floats carry nothing from one
iteration to another, those of sixteen may.
"""

from __future__ import annotations

import re

_DIRECTIVE = re.compile(
    rb"^(?P<head>[ \t]*#[ \t]*pragma[ \t]+omp)(?P<words>(?:[ \t]+\w+)*?)[ \t]+(?P<own>simd|loop)\b(?![ \t]*:)"
    rb"(?P<clauses>(?:\\\r?\n|[^\n])*)",
    re.MULTILINE,
)
_OTHER = frozenset((b"declare", b"ordered", b"target", b"teams", b"scan", b"cancel"))
"""Directives of which ``simd`` is no loop of its own here."""
_ARGUMENTS = rb"[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_ALONE = re.compile(rb"\b(?:simdlen|nontemporal|order|bind|if)" + _ARGUMENTS)
_OF_LANES = re.compile(rb"\b(?:(?:simdlen|nontemporal)" + _ARGUMENTS + rb"|if[ \t]*\([ \t]*simd\b[^()]*\))")
_KEPT = re.compile(rb"\bomp[ \t]+ordered\b|\bsafelen\b")
"""An order that lanes keep to."""
_LANES = 2


def apart(text: bytes, source: bytes) -> bytes:
    """Return a text whose loops under ``simd`` run on two threads of their own, line by line the same.

    Args:
        text: Of a translation.
        source: Its source: what says ``simd`` there already is believed.
    """
    if _DIRECTIVE.search(source) or _KEPT.search(text):
        return text
    return _DIRECTIVE.sub(_on_threads, text)


def _on_threads(found: re.Match[bytes]) -> bytes:
    words = found["words"].split()
    if _OTHER.intersection(words):
        return found.group()
    if words:  # its iterations are shared out anyway
        if found["own"] == b"loop":
            return found.group()
        return found["head"] + found["words"] + _OF_LANES.sub(b"", found["clauses"])
    return found["head"] + b" parallel for num_threads(%d)" % _LANES + _ALONE.sub(b"", found["clauses"])
