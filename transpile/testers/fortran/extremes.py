"""Trials whose results depend on what Fortran does not say: an extreme of which one operand is no number.

``max(a, b)`` of a number and of what is none may be either, and of zeros of both signs likewise; gfortran
takes what its instruction gives. A translation that takes the other operand in every such place shows which
trials depend on that: there the source's result is one of several that are right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from transpile.parsers.fortran.interfaces import Interface
from transpile.testers.fortran import libraries
from transpile.testers.fortran.calls import Bench, Trial
from transpile.testers.fortran.compare import difference, unsaid
from transpile.testers.fortran.libraries import Failed, Side, Texts
from transpile.toolchains.build import Built
from transpile.toolchains.calls import Completed, Crashed, Placement

_EXTREME = re.compile(r"\b(std|fortran)(::(?:max|min)\()(?!\{)")
_OTHER = {"std": "fortran", "fortran": "std"}
"""Of a tie the functions of `std` take the first operand, and those of our headers the second."""
MOST_UNSAID = 0.25
"""Share of a round that may depend on such: where it is more, they are no exceptions."""


def reversed_extremes(text: str) -> str:
    """Return a translation whose extremes of two operands take the other one where none is the greater."""
    return _EXTREME.sub(lambda found: _OTHER[found[1]] + found[2], text)


@dataclass(slots=True)
class Reversed:
    """The library of a translation with reversed extremes, which is built when it is first asked for."""

    texts: Texts
    folder: Path
    """An empty one, for this library alone."""
    unsafe: bool = False
    _lock: Lock = field(default_factory=Lock)
    _built: Built | Failed | None = None

    def bench(self, of: Bench) -> Bench | None:
        """Return where reversed calls of the translation are made; None where there are none to be made."""
        with self._lock:
            if self._built is None:
                text = reversed_extremes(self.texts.candidate)
                if text == self.texts.candidate:
                    return None
                self.folder.mkdir()
                other = replace(self.texts, candidate=text)
                self._built = libraries.build(self.folder, other, Side.CANDIDATE, unsafe=self.unsafe)
        if isinstance(self._built, Failed):
            return None
        return replace(of, libraries={**of.libraries, Side.CANDIDATE: self._built})


def _open(interface: Interface, trial: Trial, one: Completed | Crashed, other: Completed | Crashed) -> bool:
    """Tell whether a trial depends on what extremes are: all that does not has to be the source's."""
    if not isinstance(one, Completed) or difference(interface, one, other) is None:
        return False
    return not isinstance(other, Completed) or unsaid(interface, trial.expected, one, other)


def settled(bench: Bench, other: Reversed, interface: Interface, tried: Sequence[Trial]) -> list[Trial]:
    """Return the trials whose results do not depend on what an extreme is where Fortran leaves it open.

    Args:
        bench: Where the translation is called.
        other: Where one with reversed extremes is.
        interface: The routine.
        tried: The trials of a round. All are returned where more depend on that than exceptions do.
    """
    reversed_bench = other.bench(bench)
    if reversed_bench is None:
        return list(tried)
    calls = [item.call for item in tried]
    rows = zip(
        tried,
        bench.run(Side.CANDIDATE, calls, Placement.GUARD_HIGH),
        reversed_bench.run(Side.CANDIDATE, calls, Placement.GUARD_HIGH),
        strict=True,
    )
    kept = [trial for trial, one, another in rows if not _open(interface, trial, one, another)]
    return kept if len(kept) >= (1 - MOST_UNSAID) * len(tried) else list(tried)
