"""A port as one HTML page that needs no network: what was asked, what came of it, and what shows it."""

from __future__ import annotations

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from transpile import __version__
from transpile.contracts import user
from transpile.core import Attempt, ByModel, Candidate, Evidence, Passed, Port, Severity
from transpile.report import findings, makers, wording
from transpile.report.assumptions import assumptions
from transpile.report.comparison import Row, compared
from transpile.report.passing import answers_of
from transpile.visible import visible

MARKS = {"passed": "✓", "below": "✓", "falsified": "✗", "rejected": "-", "inconclusive": "?"}
WORDS = {kind: kind for kind in MARKS} | {"below": "passed, below the level"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The text of a unit beside what became of it."""

    name: str
    path: str
    line: int
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitView:
    """A unit with what the page says of it."""

    anchor: str
    evidence: Evidence
    kept: bool
    place: str
    """Its file in the port; empty where it is not kept."""
    findings: tuple[findings.Finding, ...]
    pairs: tuple[Pair, ...]
    """The unit, then what it calls."""
    earlier: tuple[tuple[Attempt, tuple[Pair, ...]], ...]
    """Attempts before the last one."""

    @property
    def kind(self) -> str:
        """Return the verdict's name, or what it is worth where it passed and is not kept."""
        return self.evidence.verdict.kind if self.kept or not self.passed else "below"

    @property
    def asked(self) -> bool:
        """Tell whether a model was asked for any attempt."""
        return any(isinstance(item.origin, ByModel) for item in self.evidence.attempts)

    @property
    def answers(self) -> str:
        """Return how many answers of models about it are right; empty where none was given."""
        drawn = answers_of(self.evidence)
        return f"{drawn.right} of {drawn.drawn} answers of models right" if drawn.drawn else ""

    @property
    def passed(self) -> bool:
        """Tell whether the verdict is a pass, at whatever level."""
        return isinstance(self.evidence.verdict, Passed)


def page(port: Port, explanations: Mapping[str, findings.Explanation]) -> bytes:
    """Return the page.

    Args:
        port: What it is about.
        explanations: What each diagnostic code means.
    """
    found = findings.of_port(port)
    units = [_view(number, item, port) for number, item in enumerate(port.evidence, start=1)]
    environment = environment_of_pages()
    text = environment.get_template("report.html").render(
        port=port,
        units=sorted(units, key=lambda unit: unit.kept),
        figures=_figures(units, port),
        problems=[item for item in found if item.severity is Severity.ERROR],
        notes=[item for item in found if item.severity is not Severity.ERROR],
        anchors={unit.evidence.unit.id: unit.anchor for unit in units},
        explanations=_explained((item.code for item in found), explanations),
        made_by=_shared(port.evidence),
        source=Path(os.path.relpath(port.source, port.out)).as_posix(),
        style=text_of_ours(environment, "report.css"),
        script=text_of_ours(environment, "report.js"),
    )
    return packed(text)


def packed(text: str) -> bytes:
    """Return the bytes of a page."""
    # Names that are not UTF-8 come as lone surrogates: the bytes that they stand for are spelt out.
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace").encode("utf-8")


def environment_of_pages() -> Environment:
    """Return what makes pages of templates: everything is escaped."""
    environment = Environment(
        loader=PackageLoader("transpile.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_spelt,
    )
    environment.globals |= {
        "version": __version__,
        "marks": MARKS,
        "words": WORDS,
        "wording": wording,
        "assumptions": assumptions,
        "trial_text": findings.describe_trial,
        "reason_of": findings.reason_of,
        "contract_text": user.render,
        "hash_source": hash_source,
        "percent": _percent,
    }
    environment.filters |= {"markdown": _markdown, "prose": _prose}
    return environment


def _spelt(value: Any) -> Any:
    """Return what goes into the page: no character that would not be seen there."""
    return value if isinstance(value, Markup) or hasattr(value, "__html__") else visible(str(value))


def _view(number: int, evidence: Evidence, port: Port) -> UnitView:
    kept = evidence.kept(port.required)
    return UnitView(
        anchor=f"unit-{number}",
        evidence=evidence,
        kept=kept,
        place=port.places.get(evidence.unit.id, "") if kept else "",
        findings=findings.of_unit(evidence, port.required),
        pairs=_pairs(evidence, evidence.candidate),
        earlier=tuple((item, _pairs(evidence, item.candidate)) for item in evidence.attempts[:-1]),
    )


def _pairs(evidence: Evidence, candidate: Candidate | None) -> tuple[Pair, ...]:
    """Return every text with its translation; a unit without one stands alone."""
    units = {item.id: item for item in (evidence.unit, *evidence.closure)}
    texts = (
        {item.unit: item.text for item in candidate.replacements} if candidate else {evidence.unit.id: b""}
    )
    return tuple(
        Pair(
            name=units[name].name,
            path=units[name].path,
            line=units[name].line,
            rows=compared(units[name].text, text, units[name].path),
        )
        for name, text in texts.items()
        if name in units
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Sums over the units of a port."""

    kept: int
    units: int
    trials: int
    coverage: float | None
    """Of the unit where it is least."""
    killed: int
    mutants: int
    """Those not shown to be equivalent."""
    claims: tuple[tuple[str, int], ...]
    """What was proved beside the trials, and of how many units."""
    makers: str
    """The numbers of translations that are kept, by translator."""
    models: tuple[str, ...]
    """The outcome of asking models, and their usage."""
    seconds: float


def _figures(units: Iterable[UnitView], port: Port) -> Figures:
    every = list(units)
    shown = [
        item.evidence.verdict.guarantee
        for item in every
        if item.kept and isinstance(item.evidence.verdict, Passed)
    ]
    strengths = [item.strength for item in shown if item.strength]
    claims = [str(claim) for item in shown if item.proof for claim in item.proof.claims]
    return Figures(
        kept=sum(item.kept for item in every),
        units=len(every),
        trials=sum(item.trials for item in shown),
        coverage=min((item.coverage for item in shown if item.coverage is not None), default=None),
        killed=sum(item.killed for item in strengths),
        mutants=sum(item.real for item in strengths),
        claims=tuple(Counter(claims).items()),
        makers=makers.counted(port),
        models=(*makers.asked(port), *((*port.spent.notes, makers.spent(port.spent)) if port.spent else ())),
        seconds=sum(item.evidence.seconds for item in every),
    )


def _shared(evidence: Iterable[Evidence]) -> list[tuple[str, str]]:
    """Return what made every verdict: the provenance that all units have in common."""
    tables = [item.provenance for item in evidence if item.provenance]
    return [
        fact for fact in (tables[0] if tables else ()) if fact[1] and all(fact in table for table in tables)
    ]


def _explained(
    codes: Iterable[str], explanations: Mapping[str, findings.Explanation]
) -> dict[str, findings.Explanation]:
    """Return what the codes of the page mean, those that have an explanation."""
    return {code: explanations[code] for code in sorted(set(codes) & explanations.keys())}


def _markdown(text: str) -> Markup:
    """Return a page of ours as HTML; what is HTML in it is escaped."""
    return Markup(MarkdownIt("commonmark", {"html": False}).render(text))


def _prose(text: str) -> Markup:
    """Return a sentence with what stands between backticks set as code."""
    parts = visible(text).split("`")
    return Markup().join(
        Markup("<code>{}</code>").format(part) if number % 2 and number < len(parts) - 1 else escape(part)
        for number, part in enumerate(parts)
    )


def text_of_ours(environment: Environment, name: str) -> Markup:
    """Return a file of ours that goes into the page as it is."""
    assert environment.loader is not None
    text, _, _ = environment.loader.get_source(environment, name)
    return Markup(text)


def hash_source(text: str) -> str:
    """Return the source expression by which a content security policy allows an inline text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _percent(share: float) -> str:
    """Return a share of one; never rounded up to what was not reached."""
    return f"{int(1000 * share) / 10:g} %"
