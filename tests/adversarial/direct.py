"""Candidates that are judged as they stand, without a translator."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.adversarial.function_session import proposal
from tests.integration.functions import unit
from transpile.contracts import infer
from transpile.core import OPENMP, ByModel, Dialect, Source, Verdict
from transpile.testers import judge
from transpile.toolchains.workshop import Workshop

_HEADERS = {
    "omp_": "<omp.h>",
    "fesetround": "<fenv.h>",
    "mem": "<string.h>",
    "alloc": "<stdlib.h>",
    "printf": "<stdio.h>",
    "stdout": "<stdio.h>",
}
"""By a word that they define."""
_KERNEL = re.compile(r"__global__.*?\n}\n", re.DOTALL)


def judged(
    workshop: Workshop, source: Source, texts: Mapping[str, str], dialect: Dialect = OPENMP
) -> dict[str, Verdict]:
    """Return the verdict on each text, a translation of the function that it defines behind its kernels."""
    names = {key: _KERNEL.sub("", text).partition("(")[0].split()[-1] for key, text in texts.items()}
    units = {name: unit(source, name) for name in dict.fromkeys(names.values())}
    learnt = infer(workshop, source, list(units.values()))
    proposals = []
    for key, text in texts.items():
        own = units[names[key]]
        contracts = learnt[own.id]
        assert isinstance(contracts, tuple), contracts
        headers = tuple(header for word, header in _HEADERS.items() if word in text)
        proposals.append(proposal(own, contracts, text, headers, dialect, ByModel()))
    return {key: item.verdict for key, item in zip(texts, judge(workshop, source, proposals), strict=True)}
