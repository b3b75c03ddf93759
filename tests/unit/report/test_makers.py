"""Translators and the usage of models: told on the terminal, in the report and as data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.cli import ports
from transpile.cli import tables
from transpile.core import Attempt, ByModel, Diagnostic, Port, Rejected, Severity, Spent
from transpile.report import data, makers
from transpile.report.html import page

MODEL = ByModel(model="openai:big@https://llm.example.org")
SILENCE = Rejected(
    stage="model",
    diagnostics=(
        Diagnostic(code="TP521", severity=Severity.ERROR, path="a.cu", line=1, message="no answer: refused"),
    ),
)


def port(spent: Spent | None) -> Port:
    """Return a port of two units: a model was asked for both, said nothing of one, and made the other."""
    first, second = ports.port(ports.PASSED, ports.PASSED).evidence
    silent = Attempt(candidate=None, verdict=SILENCE, asked=MODEL)
    assert second.candidate is not None
    made = replace(second.attempts[-1], candidate=replace(second.candidate, origin=MODEL))
    return replace(
        ports.port(),
        evidence=(replace(first, attempts=(silent, *first.attempts)), replace(second, attempts=(made,))),
        spent=spent,
    )


def test_it_is_told_who_translated_and_who_said_nothing() -> None:
    found = port(None)
    assert [makers.maker(item, found) for item in found.evidence] == ["rules", MODEL.model]
    assert makers.counted(found) == f"rules (1), {MODEL.model} (1)"
    (said,) = makers.asked(found)
    assert said.startswith(
        f"{MODEL.model} was asked for 2 units, 1 of them kept, 1 of 1 answers right"
        " (first answers: pass@1 100.0%), 1 without an answer: "
    )
    assert "no answer: refused" in said
    assert not list(makers.asked(ports.port(ports.PASSED)))


@pytest.mark.parametrize(
    ("spent", "said"),
    [
        (Spent(read=12345, written=67, cost=0.25), "12,345 tokens read, 67 written, cost 0.25"),
        (Spent(read=1, written=2), "cost not known"),
        (Spent(read=0, written=0), "no tokens"),
    ],
)
def test_what_models_used_up_is_told_everywhere(
    spent: Spent, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = port(spent)
    tables.full(found)
    shown = " ".join(capsys.readouterr().out.split())
    for text in (said, "rules (1)", "1 without an answer"):
        assert text in shown
    html = " ".join(page(found, {}).decode().split())
    for text in (said, "rules (1)", "1 without an answer"):
        assert text in html
    plain = data.port_data(found)
    assert plain["spent"] == {"read": spent.read, "written": spent.written, "cost": spent.cost, "notes": ()}
    assert [item["model"] for item in plain["units"]] == [None, MODEL.model]


def test_what_models_were_asked_again_is_told_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    found = port(Spent(read=1, written=2, notes=("big repeats itself about `k`",)))
    tables.full(found)
    assert "big repeats itself about `k`" in capsys.readouterr().out
    assert "big repeats itself about" in page(found, {}).decode()
    assert data.port_data(found)["spent"]["notes"] == ("big repeats itself about `k`",)
    assert data.port_data(found)["units"][0]["answers"] == {"right": 0, "drawn": 0}
    assert data.port_data(found)["units"][1]["answers"] == {"right": 1, "drawn": 1}
