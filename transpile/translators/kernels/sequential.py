"""Sequential forms: a candidate without its OpenMP directives, and the source's own text."""

from __future__ import annotations

import re
from dataclasses import replace

from transpile.core import ByRules, Candidate, Replacement, Unit

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:[^\n\\]|\\.|\\\n)*\n?", re.MULTILINE)
_LOAD = re.compile(rb"__atomic_load\((.+), &(\w+), __ATOMIC_RELAXED\);")
_SWAPPED = re.compile(
    rb"do \{\s*\w+ = (.*);\s*\} while \(!__atomic_compare_exchange\((.+), &\w+, &\w+, true, [A-Z_, ]+\)\);"
)
"""Text that handmade.py writes for an update without a directive."""


def sequential(candidate: Candidate) -> Candidate:
    """Return the candidate as its loops would run one iteration after the other."""
    rules = candidate.origin.rules if isinstance(candidate.origin, ByRules) else ()
    return replace(
        candidate,
        replacements=tuple(
            replace(item, text=_alone(_DIRECTIVE.sub(b"", item.text))) for item in candidate.replacements
        ),
        origin=ByRules(rules=(*rules, "sequential")),
        parallel=False,
    )


def _alone(text: bytes) -> bytes:
    """Return a text in which nobody comes between a load and a store."""
    text = _SWAPPED.sub(lambda found: _pointee(found[2]) + b" = " + found[1] + b";", text)
    if b"__atomic_compare_exchange(" not in text:
        text = re.sub(rb"(\w+), wanted;", rb"\1;", text)
    return _LOAD.sub(lambda found: found[2] + b" = " + _pointee(found[1]) + b";", text)


def _pointee(address: bytes) -> bytes:
    return address.removeprefix(b"&") if address.startswith(b"&") else b"*" + address


def as_written(unit: Unit, candidate: Candidate) -> Candidate:
    """Return the text that a candidate is made from in the candidate's place, to be called like it."""
    own = Replacement(unit=unit.id, text=unit.text)
    return replace(candidate, replacements=(own,), headers=(), origin=ByRules(), parallel=False)
