"""Nests of which nothing runs in parallel as they are, in a form of which something does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from transpile.code.edits import Edit
from transpile.code.names import with_number
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.iteration.trips import short
from transpile.translators.loops.planning.work import Work
from transpile.translators.targets.openmp.splits import in_parts
from transpile.translators.targets.openmp.waves import wavefronts

Recast = Callable[[Setting, Nest, str], tuple[str, Edit[str]] | None]
"""Takes what puts a nest into another order takes; returns the name of a rule, and the edit it makes."""

RECASTS: tuple[Recast, ...] = (in_parts, wavefronts)

Recasts = dict[Nest, tuple[str, Edit[str]]]
"""The rule that makes another form of a nest, and its edit."""


def remade(own: Work, among: Sequence[Nest]) -> Recasts:
    """Return what makes of nests a form in which something is parallel, by the first rule that knows one."""
    found: Recasts = {}
    for number, nest in enumerate(nests_of(own.choice.parts)):
        if nest not in among or brief(nest):
            continue
        flag = with_number("recast", number)
        made = next((item for rule in RECASTS if (item := rule(own.setting, nest, flag)) is not None), None)
        if made is not None:
            found[nest] = made
    return found


def nests_of(parts: Sequence[Band | SequentialNest]) -> list[Nest]:
    """Return the nests that parts are of, in their order."""
    return list(dict.fromkeys(part.nest for part in parts))


def brief(nest: Nest) -> bool:
    """Tell whether no form of a nest is worth a team of threads."""
    return short(nest.node, (item.loop for item in nest.loops))


def idle(parts: Sequence[Band | SequentialNest], alone: Sequence[SequentialNest]) -> list[Nest]:
    """Return the nests of which nothing runs in parallel."""
    counts = Counter(part.nest for part in parts)
    counts.subtract(part.nest for part in alone)
    return [nest for nest, count in counts.items() if not count]


def rules_of(made: Mapping[Nest, tuple[str, Edit[str]]]) -> list[str]:
    """Return the names of the rules that made other forms."""
    return list(dict.fromkeys(rule for rule, _ in made.values()))
