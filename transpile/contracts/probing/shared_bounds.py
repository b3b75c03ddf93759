"""Run probes again under AddressSanitizer: traces miss accesses beyond shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.contracts.probing.probe import Asking, Failed, Observed, Outcome, Probe
from transpile.contracts.probing.subject import Subject


def stray(subject: Subject, probes: Sequence[Probe], traced: Sequence[Outcome]) -> Asking[list[bool]]:
    """Tell which probes access what is not theirs, with no more elements than the trace saw touched."""
    if not subject.confined:
        return [False] * len(probes)
    again: list[Probe] = []
    for probe, outcome in zip(probes, traced, strict=True):
        touched = outcome.touched if isinstance(outcome, Observed) else {}
        supplied = outcome.supplied if isinstance(outcome, Observed) else None
        extents = {name: max(item.high, 0) for name, item in touched.items()}
        again.append(replace(probe, extents=extents, supplied=supplied))
    outcomes = yield again
    return [isinstance(outcome, Failed) for outcome in outcomes]
