"""Translators of the units of a port, questions to models, and their usage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from transpile.core import Attempt, ByModel, Evidence, Port, Rejected, Spent
from transpile.report.findings import reason_of
from transpile.report.passing import Drawn, answers_of, first_answers_of, mean_pass_at

RULES = "rules"


def maker(evidence: Evidence, port: Port) -> str:
    """Return who made the translation that is kept of a unit; empty where none is."""
    if evidence.candidate is None or not evidence.kept(port.required):
        return ""
    origin = evidence.candidate.origin
    return origin.model if isinstance(origin, ByModel) else RULES


def counted(port: Port) -> str:
    """Return who made how many of the translations that are kept; empty where none is."""
    makers = Counter(maker(item, port) for item in port.evidence)
    return ", ".join(f"{name} ({count})" for name, count in makers.most_common() if name)


def column(evidence: Evidence, port: Port) -> str:
    """Return who made what is kept of a unit, and what models came to that did not."""
    name, drawn = maker(evidence, port), answers_of(evidence)
    if not drawn.drawn or (name and name != RULES):
        return name
    return f"{name} (model: {drawn.right} of {drawn.drawn} right)".strip()


def asked(port: Port) -> Iterator[str]:
    """Yield of each model for how many units it was asked, how it did, and where it said nothing, and why."""
    names = dict.fromkeys(origin.model for item in port.evidence for origin in _models(item))
    for name in names:
        units = [item for item in port.evidence if any(origin.model == name for origin in _models(item))]
        silent = [item for item in units if all(map(_unanswered, _attempts(item, name)))]
        kept = sum(maker(item, port) == name for item in units)
        drawn = sum((answers_of(item, name) for item in units), Drawn())
        said = f"{name} was asked for {len(units)} unit{'s' * (len(units) != 1)}, {kept} of them kept"
        if drawn.drawn:
            said += f", {drawn.right} of {drawn.drawn} answers right"
            said += _passing([first_answers_of(item, name) for item in units])
        why = _reason(silent[0], name) if silent else ""
        yield said + (f", {len(silent)} without an answer: {why}" if silent else "")


def _passing(first: list[Drawn]) -> str:
    """Return pass@1 and pass@k of first answers, for as many as every unit has that has any."""
    answered = [item for item in first if item.drawn]
    most = min((item.drawn for item in answered), default=0)
    wanted = dict.fromkeys(k for k in (1, most) if k)
    told = [f"pass@{k} {share:.1%}" for k in wanted if (share := mean_pass_at(k, answered)) is not None]
    return f" (first answers: {', '.join(told)})" if told else ""


def spent(found: Spent) -> str:
    """Return what models used up in a run."""
    if not found.read and not found.written:
        return "no tokens: nothing was answered that was not known before"
    cost = f"cost {found.cost:.4g}" if found.cost is not None else "cost not known, since no prices are set"
    return f"{found.read:,} tokens read, {found.written:,} written, {cost}"


def _models(evidence: Evidence) -> Iterator[ByModel]:
    for item in evidence.attempts:
        if isinstance(item.origin, ByModel):
            yield item.origin


def _attempts(evidence: Evidence, name: str) -> list[Attempt]:
    return [
        item for item in evidence.attempts if isinstance(item.origin, ByModel) and item.origin.model == name
    ]


def _unanswered(attempt: Attempt) -> bool:
    return isinstance(attempt.verdict, Rejected) and attempt.verdict.stage == "model"


def _reason(evidence: Evidence, name: str) -> str:
    return reason_of(_attempts(evidence, name)[0].verdict)
