"""Contracts of the launches that a program makes itself, for kernels that bear no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.contracts.learn import learn
from transpile.contracts.probing.probe import Asking
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.contracts.text.sites import Block
from transpile.core import Contract, Inconclusive, ShapeDependent


def learn_as_launched(
    subject: Subject, pinned: Scalars, seed: int, hints: Sequence[Block]
) -> Asking[Contract | Inconclusive]:
    """Learn a contract as ``learn`` does; where there is none, one that holds at the program's launches."""
    found = yield from learn(subject, pinned, seed, hints)
    closer = as_launched(subject) if isinstance(found, Inconclusive) else None
    if closer is None:
        return found
    again = yield from learn(closer, pinned, seed, hints)
    return found if isinstance(again, Inconclusive) else again


def as_launched(subject: Subject) -> Subject | None:
    """Return the subject under the launches of all sites, and what scalars keep to at each of them.

    None where the user states launches, where there are no sites, and where one is not known.
    """
    families = {site.family for site in subject.sites}
    if subject.stated is not None or not families or not families <= {*subject.families}:
        return None
    first, *others = subject.passed or ((),)
    kept = tuple(relation for relation in first if all(relation in other for other in others))
    return replace(subject, stated=ShapeDependent(launches=subject.families), kept=kept)
