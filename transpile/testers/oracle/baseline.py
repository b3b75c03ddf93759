"""The source's behaviour, learnt once: what all candidates for one signature are measured against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from transpile.contracts.text.named_numbers import NOTHING_MENTIONED, Mentioned
from transpile.core import Contract, Inconclusive, Unit
from transpile.testers.oracle.calibrate import Calibration
from transpile.testers.oracle.cover import Meter
from transpile.testers.oracle.far_values import far
from transpile.testers.oracle.filed_values import filed
from transpile.testers.oracle.gather import Pool, gather
from transpile.testers.oracle.known import Known
from transpile.testers.oracle.validity import Examiner, Reference
from transpile.testers.run.source_bench import SourceBench
from transpile.testers.trials.boundary_values import below_zero, marked, patterns, shared_marks
from transpile.testers.trials.combined import combined, of_options
from transpile.testers.trials.fills import literals_of
from transpile.testers.trials.generate import Plan
from transpile.toolchains.workshop import Workshop


class Baseline:
    """One signature of a unit, on the emulator."""

    def __init__(
        self,
        workshop: Workshop,
        bench: SourceBench,
        parts: tuple[Unit, ...],
        contract: Contract,
        closed: Mapping[tuple[str, int], int] | None = None,
        known: Known[Reference] | None = None,
        mentioned: Mentioned = NOTHING_MENTIONED,
    ) -> None:
        """Keep what every examination needs.

        Args:
            workshop: Where to build and run.
            bench: The source.
            parts: The unit and what it calls.
            contract: Of the signature.
            closed: Lines of switches whose default no trial takes, with how many they are.
            known: References that baselines of one session keep together.
            mentioned: Numbers in the text of the unit and of what it calls, behind names as well.
        """
        self._closed = closed or {}
        self._workshop = workshop
        self._pools: dict[Plan, Pool | Inconclusive] = {}
        self._unusual: dict[Plan, tuple[Reference, ...]] = {}
        self.parts = parts
        self.contract = contract
        spelled = literals_of(b"\n".join(part.text for part in parts))
        self.literals = tuple(sorted({*spelled, *mentioned.named}))
        self._compared = mentioned.compared
        self._asked = (*mentioned.asked, *mentioned.beside)
        self.examiner = Examiner(workshop, bench, contract, self.literals, known)
        self.calibration = Calibration(workshop, bench)

    def pool(self, plan: Plan) -> Pool | Inconclusive:
        """Return the trials that count, made as planned."""
        if plan not in self._pools:
            asked = replace(plan, literals=self.literals)
            self._pools[plan] = gather(self.examiner, self.meter(), asked, self._compared, self._asked)
        return self._pools[plan]

    def unusual(self, plan: Plan) -> tuple[Reference, ...]:
        """Return the trials that count with unusual numbers, the same for every candidate."""
        asked = replace(plan, given=())
        if asked not in self._unusual:
            trials = marked(self.contract, replace(asked, seed=plan.seed + 1), shared_marks(self.literals))
            trials += patterns(self.contract, asked)
            trials += combined(self.contract, asked, self._asked)
            trials += of_options(self.contract, asked, self._asked)
            # The last ones, since those that take too long end the rest.
            trials += below_zero(self.contract, asked)
            trials += far(self.examiner, asked, self.literals)
            trials += filed(self.examiner, asked)
            self._unusual[asked] = tuple(self.examiner.references(trials))
        return self._unusual[asked]

    def meter(self) -> Meter:
        """Return a count of the branches that no trial has taken yet."""
        pointers = (item.name for item in self.contract.signature.parameters if item.pointer)
        return Meter(self._workshop, self.parts, frozenset(pointers), self._closed)
