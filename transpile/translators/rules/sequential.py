"""A candidate without its OpenMP directives: one thread does what several may not do at once."""

from __future__ import annotations

import re
from dataclasses import replace

from transpile.core import ByRules, Candidate

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
