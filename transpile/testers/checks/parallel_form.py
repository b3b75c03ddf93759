"""Which trials ran the parallel form of a candidate: others took a sequential one, and say nothing of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from transpile.core import Candidate, Inconclusive, Trial
from transpile.parsers.text.launches import bare_name
from transpile.toolchains.calls import Site

Ran = Mapping[Trial, Sequence[Site]]
"""By trial, the kernels and parallel regions that its calls ran."""

FEWEST = 6
"""Trials that must have run the parallel form."""
_LAUNCHED = re.compile(rb"(\w+)\s*(?:<[^<>;{}]*>)?\s*<<<(\s*1\s*,\s*1\s*>>>)?")
"""Names before launches, and what says that a launch is of one thread."""
_REGION = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:[^\n\\]|\\\r?\n|\\.)*\bparallel\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ParallelForm:
    """Coverage, by trials, of a candidate that is to run on several threads."""

    trials: int
    """That ran some of it on several threads."""
    tried: int
    sizes: int
    """Different sizes among those trials."""
    single: tuple[str, ...]
    """Kernels that one thread ran alone in every trial."""
    never: tuple[str, ...]
    """Kernels that no trial launched, but for those that are a sequential form themselves."""
    held_back: int
    """Parallel regions that a clause kept to one thread in every trial."""

    @property
    def sequential(self) -> bool:
        """Tell whether the device does all of it on one thread."""
        return not self.trials and bool(self.single)


def parallel_form(candidate: Candidate, ran: Ran) -> ParallelForm | None:
    """Return what trials ran of a candidate's parallel form; None where it has none that can be told."""
    text = b"\n".join(item.text for item in candidate.replacements)
    emulated = candidate.dialect.traits.emulated
    launches = [(name, one) for name, one in _LAUNCHED.findall(text) if _is_kernel(name, text)]
    owed = {name.decode() for name, one in launches if not one}
    if candidate.binding.kernel or not (launches if emulated else _REGION.search(text)):
        return None
    widest: dict[str, int] = {}
    several: list[Trial] = []
    for trial, sites in ran.items():
        own = [site for site in sites if site.kernel == emulated]
        for site in own:
            name = bare_name(site.name)
            widest[name] = max(widest.get(name, 0), site.threads)
        if any(site.threads > 1 for site in own):
            several.append(trial)
    alone = tuple(sorted(name for name, threads in widest.items() if threads <= 1))
    return ParallelForm(
        trials=len(several),
        tried=len(ran),
        sizes=len({_size(trial) for trial in several}),
        single=alone if emulated else (),
        never=tuple(sorted(owed - widest.keys())) if emulated else (),
        held_back=0 if emulated else len(alone),
    )


def untested(found: ParallelForm, ran: Ran) -> Inconclusive | None:
    """Return that trials say too little of the parallel form, or None."""
    if found.sequential:
        return None
    if found.trials < FEWEST:
        why = (
            f"only {found.trials} of {found.tried} trials ran its parallel form, the others a sequential one"
        )
        return Inconclusive(reason=why, code="TP431")
    if found.sizes < min(2, len({_size(trial) for trial in ran})):
        return Inconclusive(reason="all trials that ran its parallel form were of one size", code="TP431")
    if found.never:
        names = ", ".join(f"`{name}`" for name in found.never)
        return Inconclusive(reason=f"no trial launched {names}", code="TP431")
    if found.held_back:
        count = f"{found.held_back} of its parallel regions"
        return Inconclusive(reason=f"in every trial an `if` clause ran {count} on one thread", code="TP431")
    return None


def on_one_thread(found: ParallelForm) -> Inconclusive:
    """Return that a candidate passed, but as the work of one thread of a device."""
    names = ", ".join(f"`{name}`" for name in found.single)
    reason = f"sequential on the device: it agrees with its source, but a single thread runs {names}"
    return Inconclusive(reason=reason, code="TP432")


def _is_kernel(name: bytes, text: bytes) -> bool:
    """Tell whether a text defines a kernel of that name: a parameter of a macro may stand before a launch."""
    return re.search(rb"__global__[^;{]*\b" + name + rb"\s*\(", text) is not None


def _size(trial: Trial) -> tuple[object, ...]:
    return trial.scalars, trial.carved
