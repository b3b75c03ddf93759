"""Race-checked runs of the candidate on 2 and 3 threads: ThreadSanitizer, told of OpenMP by archer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from transpile.core import Candidate, Inconclusive
from transpile.errors import ToolMissing
from transpile.testers.bench import CandidateBench, Manner
from transpile.testers.duel import Duel, Failure
from transpile.testers.materialise import POISONS
from transpile.testers.proposal import Proposal
from transpile.testers.sanitize import missing, subset, unbuilt
from transpile.toolchains import compilers
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.worker import Placement

_PARALLEL = re.compile(rb"\bomp\b|std\s*::\s*execution|\bpar_unseq\b")
_MOST = 6
THREADS = (2, 3)
MORE_THREADS = (4, 8)


def is_parallel(candidate: Candidate) -> bool:
    """Tell whether a race check is owed, whatever the candidate says of itself."""
    return candidate.parallel or any(_PARALLEL.search(item.text) for item in candidate.replacements)


def race_check(
    bench: CandidateBench, proposal: Proposal, duel: Duel, threads: Sequence[int] = THREADS
) -> Failure | Inconclusive | None:
    """Return the first data race on the larger half of the trials; None where there is none."""
    signature = duel.pool[0].prepared.contract.signature
    try:
        compilers.find().require("libarcher")
        entry = bench.entry(proposal, signature, Flavour.THREAD)
    except ToolMissing as error:
        return missing("race", error)
    if isinstance(entry, BuildFailed):
        return unbuilt("ThreadSanitizer", entry)
    chosen = subset(duel.pool[len(duel.pool) // 2 :], _MOST)
    for count in threads:
        manner = Manner(placement=Placement.HEAP, poison=POISONS[0], threads=count)
        for found in duel.against(entry).run(chosen, manner):
            if isinstance(found, Failure):
                return found
    return None
