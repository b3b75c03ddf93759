"""UNIT -> CONTRACT: what a call of a kernel must respect, learnt from how it behaves when it is traced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from transpile.contracts.user import UnitSettings
from transpile.core import Contract, Inconclusive, RecordedLaunch, Source, Unit
from transpile.toolchains.workshop import Workshop

__all__ = ["infer"]


def infer(
    workshop: Workshop,
    source: Source,
    units: Sequence[Unit],
    *,
    observed: Sequence[RecordedLaunch] = (),
    seed: int = 0,
    corrections: Mapping[str, UnitSettings] | None = None,
) -> dict[str, tuple[Contract, ...] | Inconclusive]:
    """Return the contracts of each unit's instantiations, or why there are none; see ``inference.infer``."""
    from transpile.contracts import inference

    return inference.infer(workshop, source, units, observed=observed, seed=seed, corrections=corrections)
