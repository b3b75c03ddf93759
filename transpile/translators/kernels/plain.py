"""CUDA to plain C++ by rules: what OpenMP C++ is without its directives, one iteration after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.core import CPP, Candidate, Contract, Rejected, Source, Unit
from transpile.translators.kernels import openmp
from transpile.translators.kernels.onethread import one_thread
from transpile.translators.kernels.sequential import sequential


def propose(source: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return the sequential form of a kernel with the device functions it calls, or why there is none."""
    proposed = openmp.propose(source, unit, contracts, (*openmp.KERNEL_PASSES, one_thread))
    return proposed if isinstance(proposed, Rejected) else replace(sequential(proposed), dialect=CPP)
