"""Candidates that run on threads, whatever they say of themselves, and the teams that they ask for."""

from __future__ import annotations

import re

from transpile.core import Candidate
from transpile.testers.text.folding import folded
from transpile.testers.text.plain import plain
from transpile.testers.trials.fills import literals_of

_PARALLEL = re.compile(rb"\bomp\b|std\s*::\s*execution|\bpar_unseq\b")

_COUNTED = re.compile(rb"\bomp_(?:get_(?:num_threads|max_threads|thread_num)|in_parallel)\b")
_MULTIPLES = (1, 2)
_LARGEST = 512
_MOST = 8


def is_parallel(candidate: Candidate) -> bool:
    """Tell whether a race check is owed."""
    return candidate.parallel or any(_PARALLEL.search(item.text) for item in candidate.replacements)


def has_teams(candidate: Candidate) -> bool:
    """Tell whether results may depend on how many threads of the processor there are."""
    return is_parallel(candidate) and not candidate.dialect.traits.emulated


def counts_threads(candidate: Candidate) -> bool:
    """Tell whether a text asks which thread runs it, or how many there are."""
    return any(_COUNTED.search(plain(item.text)) for item in candidate.replacements)


def own_teams(candidate: Candidate) -> tuple[int, ...]:
    """Return how many threads a candidate may tell from others: numbers of its text, and twice those."""
    if not has_teams(candidate) or not counts_threads(candidate):
        return ()
    text = b"\n".join(plain(item.text) for item in candidate.replacements)
    found = {times * value for value in (*literals_of(text), *folded(text)) for times in _MULTIPLES}
    return tuple(
        sorted(int(value) for value in found if value.is_integer() and 1 < value <= _LARGEST)[:_MOST]
    )
