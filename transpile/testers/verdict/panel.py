"""Candidates of one unit judged group by group: what is known of the source is kept from one to the next.

Whoever trains a model asks about the same unit many times. So the trials, and what the source makes of them,
are made once in a while; a plain build of a whole group comes first, and only what agrees with the source on
every trial is built for the checkers. What does not is told how many trials agree, and nothing is shrunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from transpile.core import Candidate, Contract, Level, Source, Unit, Verdict
from transpile.testers.proposal import Proposal
from transpile.testers.run.policy import barred
from transpile.testers.trials.generate import unforeseen
from transpile.testers.verdict.screening import Screen, Screened
from transpile.testers.verdict.session import TRIALS, JudgingSession, settled
from transpile.toolchains.workshop import Workshop

REDRAW = 32
"""Groups after which trials are drawn anew, so that no model learns them by heart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What became of one candidate."""

    verdict: Verdict
    agreed: int = 0
    telling: int = 0
    """Trials on which the source changes something, and those of them on which the candidate agrees."""
    source_alone: bool = False
    """No candidate can be judged: it is the source that gives no trials."""


class Panel:
    """One unit, and the trials on which its candidates are judged until they are drawn anew."""

    def __init__(
        self,
        workshop: Workshop,
        source: Source,
        unit: Unit,
        contracts: tuple[Contract, ...],
        *,
        seed: int = 0,
        level: Level = Level.TESTED,
    ) -> None:
        """Keep what is judged; nothing is built before the first group."""
        self._workshop, self._source, self._unit, self._contracts = workshop, source, unit, contracts
        self._seed, self._level = seed, level
        self._session: JudgingSession | None = None
        self._screen = Screen(unforeseen(seed, TRIALS))
        self._groups = 0

    def judge(self, candidates: Sequence[Candidate]) -> list[Tally]:
        """Return what became of each candidate of a group, in order; each distinct text is judged once."""
        proposals = {
            item.digest: Proposal(unit=self._unit, contracts=self._contracts, candidate=item)
            for item in candidates
        }
        refused = {key: barred(self._source, item) for key, item in proposals.items()}
        found = {key: Tally(verdict=why) for key, why in refused.items() if why is not None}
        able = {key: item for key, item in proposals.items() if refused[key] is None}
        if able:
            found |= dict(self._judged(able))
        self._count()
        return [found[item.digest] for item in candidates]

    def _judged(self, able: Mapping[str, Proposal]) -> Iterator[tuple[str, Tally]]:
        """Yield what became of candidates: first on a plain build, and then of those that are left."""
        left: dict[str, tuple[Proposal, Screened]] = {}
        session = self._shared(tuple(able.values())).of_others(tuple(able.values()))
        with closing(session.candidates):
            session.begin(tuple(able.values()))
            for key, item in able.items():
                screened = self._screen.screened(session, item)
                if screened.refused is not None:
                    yield key, _tally(screened, screened.refused)
                else:
                    left[key] = item, screened
        if not left:
            return
        # Only now are there builds for the checkers, and of survivors alone.
        session = session.of_survivors([item for item, _ in left.values()])
        with closing(session.candidates):
            for key, (item, screened) in left.items():
                judged = settled(session, self._source, item, self._screen.plan, self._level, 0.0)
                yield key, _tally(screened, judged.verdict)

    def _shared(self, proposals: Sequence[Proposal]) -> JudgingSession:
        """Return the session that all groups share, until trials are drawn anew."""
        if self._session is None:
            path = self._unit.translation_unit
            self._session = JudgingSession.of(self._workshop, self._source, path, proposals)
        return self._session

    def _count(self) -> None:
        """Count a group; after many, forget all trials."""
        self._groups += 1
        if self._groups % REDRAW == 0:
            self.close()
            self._screen = Screen(unforeseen(self._seed + self._groups, TRIALS))

    def close(self) -> None:
        """Forget what is known of the source."""
        if self._session is not None:
            self._session.close()
            self._session = None


def _tally(screened: Screened, verdict: Verdict) -> Tally:
    return Tally(
        verdict=verdict,
        agreed=screened.agreed,
        telling=screened.telling,
        source_alone=screened.source_alone,
    )
