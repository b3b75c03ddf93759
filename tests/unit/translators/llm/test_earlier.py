"""Rules' refusals and drafts, as a model is told of them."""

from __future__ import annotations

from transpile.core import (
    Attempt,
    Binding,
    ByModel,
    ByRules,
    Candidate,
    Diagnostic,
    Rejected,
    Replacement,
    Severity,
)
from transpile.translators.llm.earlier import NOTHING, earlier_of

REFUSED = Rejected(
    stage="translate",
    diagnostics=(
        Diagnostic(code="TP204", severity=Severity.ERROR, path="a.cu", line=3, message="atomic: x"),
    ),
)
UNBUILT = Rejected(
    stage="build",
    diagnostics=(Diagnostic(code="TP301", severity=Severity.ERROR, path="a.cu", line=3, message="no ;"),),
)


def candidate(origin: ByRules | ByModel) -> Candidate:
    return Candidate(
        unit="a.cu::k()",
        replacements=(Replacement(unit="a.cu::k()", text=b"void k() {"),),
        binding=Binding(name="k", arguments=()),
        origin=origin,
    )


def test_refusals_are_told_once() -> None:
    attempts = [Attempt(candidate=None, verdict=REFUSED)] * 2
    assert earlier_of(attempts).refusals == ("atomic: x",)


def test_a_draft_is_told_with_what_is_wrong_with_it() -> None:
    found = earlier_of([Attempt(candidate=candidate(ByRules(rules=("x",))), verdict=UNBUILT)])
    assert found.draft == "void k() {" and found.why == ("It does not compile.", "no ;")


def test_what_models_said_is_none_of_it() -> None:
    silent = Attempt(candidate=None, verdict=REFUSED, asked=ByModel(model="m"))
    assert earlier_of([silent, Attempt(candidate=candidate(ByModel()), verdict=UNBUILT)]) == NOTHING
