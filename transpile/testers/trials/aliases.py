"""Trials in which two pointers are one: what a caller may do wherever the source does not forbid it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from transpile.core import Contract, Parameter, Role, Trial
from transpile.testers.trials.materialise import Unmakeable, environment, extent_of

_MOST = 3
_FEWER = 2
"""Pairs of arrays that differ in length."""
_TWINS = 4
"""Trials that are made again, from small to large."""
_RESTRICT = re.compile(r"\b(?:__restrict__|__restrict|restrict)\b")


def aliased(contract: Contract, trial: Trial) -> list[Trial]:
    """Return the trial with an output in place of an input, for each pair of arrays that allows it.

    The two have one element type and one extent, and neither is declared ``restrict``.
    """
    known = environment(contract, trial.scalars, trial.launch)
    found = []
    for output, other in pairs(contract):
        facts = contract.array(output.name), contract.array(other.name)
        try:
            same = all(facts) and len({extent_of(fact, known) for fact in facts if fact is not None}) == 1
        except Unmakeable:
            continue
        if same:
            found.append(replace(trial, aliases=((output.name, other.name),)))
    return found[:_MOST]


def twins(contract: Contract, trials: Sequence[Trial]) -> list[Trial]:
    """Return some generated trials, ordered by size, once more with two pointers to the same array.

    Arrays that are equally long in some of them alone, such as a matrix of one column, are no two of a kind.
    """
    chosen = _chosen(trials)
    found = [twin for trial in chosen for twin in aliased(contract, trial)]
    times = Counter(twin.aliases for twin in found)
    return [twin for twin in found if times[twin.aliases] == len(chosen)]


def within(contract: Contract, trials: Sequence[Trial]) -> list[list[Trial]]:
    """Return some generated trials once more with an output in the first elements of a longer input.

    So do steps of reductions that fold half of an array onto the other: ``fold<<<…>>>(sums, sums, half)``.

    Returns:
        The trials of each pair of arrays that allows it in all of them.
    """
    chosen = _chosen(trials)
    found = []
    for output, other in pairs(contract):
        lengths = [_lengths(contract, trial, output.name, other.name) for trial in chosen]
        fits = [known is not None and known[0] <= known[1] for known in lengths]
        if chosen and all(fits) and any(known is not None and known[0] < known[1] for known in lengths):
            found.append([replace(trial, aliases=((output.name, other.name),)) for trial in chosen])
    return found[:_FEWER]


def _lengths(contract: Contract, trial: Trial, *arrays: str) -> list[int] | None:
    """Return how many elements arrays have; None where that is not known, or where some lie before them."""
    known = environment(contract, trial.scalars, trial.launch)
    facts = [fact for name in arrays if (fact := contract.array(name)) is not None]
    try:
        reaches = [extent_of(fact, known) for fact in facts]
    except Unmakeable:
        return None
    if len(reaches) < len(arrays) or any(before for before, _ in reaches):
        return None
    return [extent for _, extent in reaches]


def without(
    pointers: Sequence[str], trials: Sequence[Trial], telling: Mapping[str, Sequence[Trial]]
) -> list[Trial]:
    """Return some generated trials, ordered by size, once more with null pointers: each alone, and all.

    Args:
        pointers: Those that the source compares with null.
        trials: Trials that count.
        telling: For each pointer, those in which it may matter: a call that ends early asks nothing.
    """
    alone = [
        ((name,), trial)
        for name in pointers
        for trial in dict.fromkeys([*_chosen(telling[name]), *_chosen(trials)])
    ]
    together = [(tuple(pointers), trial) for trial in _chosen(trials)] if len(pointers) > 1 else []
    return [replace(trial, null=names) for names, trial in alone + together]


def _chosen(trials: Sequence[Trial]) -> list[Trial]:
    """Return a few of the trials that a contract and a seed made, over all sizes."""
    made = [trial for trial in trials if trial.generated and not trial.aliases and not trial.null]
    return made[len(made) // _TWINS :: max(len(made) // _TWINS, 1)][:_TWINS]


def pairs(contract: Contract) -> Iterator[tuple[Parameter, Parameter]]:
    """Yield outputs, each with what it might be the same as."""
    roles = {fact.name: fact.role for fact in contract.arrays}
    pointers = [item for item in contract.signature.parameters if item.pointer and item.element is not None]
    for output, other in permutations(pointers, 2):
        read = roles.get(other.name) is Role.IN
        written = roles.get(output.name) in (Role.OUT, Role.INOUT)
        free = not (_RESTRICT.search(output.spelling) or _RESTRICT.search(other.spelling))
        if read and written and free and output.element == other.element:
            yield output, other
