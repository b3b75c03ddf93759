"""What is done by one thread: a candidate without its OpenMP directives, and the source's own text."""

from __future__ import annotations

import re
from dataclasses import replace

from transpile.core import ByRules, Candidate, Replacement, Unit

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:[^\n\\]|\\.|\\\n)*\n?", re.MULTILINE)


def sequential(candidate: Candidate) -> Candidate:
    """Return the candidate as its loops would run one iteration after the other."""
    rules = candidate.origin.rules if isinstance(candidate.origin, ByRules) else ()
    return replace(
        candidate,
        replacements=tuple(
            replace(item, text=_DIRECTIVE.sub(b"", item.text)) for item in candidate.replacements
        ),
        origin=ByRules(rules=(*rules, "sequential")),
        parallel=False,
    )


def as_written(unit: Unit, candidate: Candidate) -> Candidate:
    """Return the text that a candidate is made from in the candidate's place, to be called like it."""
    own = Replacement(unit=unit.id, text=unit.text)
    return replace(candidate, replacements=(own,), headers=(), origin=ByRules(), parallel=False)
