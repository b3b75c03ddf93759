"""Results of rules before a model is asked: their refusal, or a draft that was not kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transpile.core import Attempt, ByRules, Rejected
from transpile.translators.llm.feedback import feedback

_REFUSALS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """The result of rules on a unit, as a model is told of it."""

    refusals: tuple[str, ...] = ()
    draft: str = ""
    why: tuple[str, ...] = ()
    """The mistake of the draft."""


NOTHING = Earlier()


def earlier_of(attempts: Sequence[Attempt]) -> Earlier:
    """Return what there is to tell of attempts by rules, the last first."""
    refusals = [
        item.message
        for attempt in attempts
        if attempt.origin is None and isinstance(attempt.verdict, Rejected)
        for item in attempt.verdict.diagnostics
    ]
    drafts = [
        (attempt.candidate, said)
        for attempt in attempts
        if attempt.candidate is not None and isinstance(attempt.candidate.origin, ByRules)
        if (said := feedback(attempt.verdict)) is not None
    ]
    draft, (what, lines) = (drafts[-1][0].replacements[0].shown, drafts[-1][1]) if drafts else ("", ("", []))
    return Earlier(
        refusals=tuple(dict.fromkeys(refusals))[:_REFUSALS],
        draft=draft,
        why=(what, *lines) if draft else (),
    )
