"""Sizes below which a kernel does nothing: the halo of a wide stencil leaves no element of a small field."""

from __future__ import annotations

from dataclasses import replace

from transpile.contracts.probing.probe import Asking, Observed, Outcome, Probe
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars, limited
from transpile.contracts.probing.subject import Subject

_FEW = 5
"""Size with which usual kernels do something."""
_WIDEST = 36
"""The first size that is not tried: no halo is known to be as wide."""


def floors_of(subject: Subject, live: Probe, pinned: Scalars) -> Asking[dict[str, int]]:
    """Return what integers have to exceed for the kernel to touch anything, where that is much.

    All are as small at first as they may be together, then one at a time beside ample ones.

    Args:
        subject: The kernel.
        live: A call that touches arrays.
        pinned: Scalars that keep their value.
    """
    items = {item.name: item for item in subject.scalars if item.integer and item.name not in pinned}
    names = list(items)

    def probe(sizes: Scalars) -> Probe:
        chosen = {name: limited(items[name], int(size)) for name, size in sizes.items()}
        return replace(live, scalars=repaired({**live.scalars, **chosen}, subject.kept, 0))

    if not names:
        return {}
    [few] = yield [probe(dict.fromkeys(names, _FEW))]
    if _touches(few):
        return {}
    outcomes = yield [probe(dict.fromkeys(names, size)) for size in range(_FEW, _WIDEST)]
    least = next((size for size, item in enumerate(outcomes, _FEW) if _touches(item)), None)
    if least is None:
        return {}
    ample = dict.fromkeys(names, least + _FEW)
    outcomes = yield [probe({**ample, name: size}) for name in names for size in range(1, least + 1)]
    floors: dict[str, int] = {}
    for index, name in enumerate(names):
        alone = outcomes[index * least : (index + 1) * least]
        needed = next((size for size, item in enumerate(alone, 1) if _touches(item)), 1)
        if needed >= _FEW:
            floors[name] = needed - 1
    return floors


def _touches(outcome: Outcome) -> bool:
    # Not what it writes: whether elements are 1, say, depends on more of them with a larger size.
    return isinstance(outcome, Observed) and bool(outcome.touched)
