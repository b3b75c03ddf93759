"""Assumptions about ways out of the source's conditions that no trial took.

They are harmless where rules keep conditions as they are: a candidate takes such a way as its source does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from transpile.core import Contract, Unit
from transpile.testers.oracle.cover import Coverage, lines_of
from transpile.testers.proposal import Proposal

_FEW = 2
"""Ways that no trial took, and lines that none ran, of what a translation rewrites."""
_FEW_LEFT_ALONE = 8
"""The same of what it leaves as it is: functions, and ways where all lines run."""
_NEARLY_COVERED = 0.9
"""Share of ways that trials take all the same, where more than one is not taken."""


def unobserved(
    proposal: Proposal, contract: Contract, parts: Sequence[Unit], coverage: Coverage
) -> tuple[str, ...]:
    """Return what is assumed of ways that no trial took; empty where that is too much to assume.

    All statements have to have run, or all but a few that stand in the candidate as they stand in the source:
    behind one condition of what it rewrites, or in functions that it leaves as they are.

    Args:
        proposal: The candidate.
        contract: Of its source.
        parts: The unit and the functions that it calls.
        coverage: Of the source by the trials.
    """
    if contract.law is None or not proposal.candidate.by_rules:
        return ()
    count = sum(untaken for untaken, _ in coverage.never.values())
    apart = {f"{path}:{line}" for path, line, _ in lines_of(_left_alone(proposal, parts))}
    ran = not coverage.unexecuted
    alike = {place for place in coverage.never if ran and _keeps(proposal, parts, [place])}
    alone = sum(untaken for place, (untaken, _) in coverage.never.items() if place in apart | alike)
    of_few = count == alone <= _FEW  # A tenth of the ways of a short function is one.
    nearly = coverage.share >= _NEARLY_COVERED or of_few
    few = count - alone <= _FEW and alone <= _FEW_LEFT_ALONE and nearly
    if not few and count > 1:
        return ()
    behind = coverage.unexecuted - apart
    if behind and (count - alone > 1 or not _keeps(proposal, parts, behind)):
        return ()
    if len(coverage.unexecuted) > _FEW:
        return ()
    ways = (f"{place}: a condition comes out as in all trials" for place in coverage.missing)
    return (*ways, *(f"{place}: nothing runs it, as in all trials" for place in sorted(coverage.unexecuted)))


def _left_alone(proposal: Proposal, parts: Sequence[Unit]) -> list[Unit]:
    """Return the functions that a candidate calls and whose bodies it leaves as they are."""
    written = {part.unit: part.text for part in proposal.candidate.replacements}
    texts = [written.get(proposal.unit.id, b"")]
    others = (unit for unit in parts if unit.id != proposal.unit.id)
    left = [unit for unit in others if _adds_nothing(written.get(unit.id, unit.text), unit.text)]
    found: list[Unit] = []
    while texts:
        words = set(re.findall(rb"\w+", texts.pop()))
        called = [unit for unit in left if unit.name.rpartition("::")[2].encode() in words]
        left = [unit for unit in left if unit not in called]
        found += called
        texts += [unit.text for unit in called]
    return found


def _adds_nothing(text: bytes, original: bytes) -> bool:
    """Tell whether the body of a function is its original's, or that without lines: branches of ``#if``."""
    lines = iter(_body(original))
    return all(line in lines for line in _body(text))


def _body(text: bytes) -> list[bytes]:
    return text.partition(b"{")[2].split(b"\n")


def _keeps(proposal: Proposal, parts: Sequence[Unit], places: Collection[str]) -> bool:
    """Tell whether lines of the source, ``path:line``, stand in the candidate as they are."""
    own = {line.strip() for part in proposal.candidate.replacements for line in part.text.split(b"\n")}
    known = {f"{path}:{line}": text.strip() for path, line, text in lines_of(parts)}
    return all(known.get(place) in own for place in places)
