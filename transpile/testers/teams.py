"""Candidates that run on threads, whatever they say of themselves."""

from __future__ import annotations

import re

from transpile.core import Candidate
from transpile.testers.bench import EMULATED

_PARALLEL = re.compile(rb"\bomp\b|std\s*::\s*execution|\bpar_unseq\b")


def is_parallel(candidate: Candidate) -> bool:
    """Tell whether a race check is owed."""
    return candidate.parallel or any(_PARALLEL.search(item.text) for item in candidate.replacements)


def has_teams(candidate: Candidate) -> bool:
    """Tell whether results may depend on how many threads of the processor there are."""
    return is_parallel(candidate) and candidate.dialect.model not in EMULATED
