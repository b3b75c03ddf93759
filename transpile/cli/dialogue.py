"""``transpile dialogue``: what a model was asked about a unit, what it said, and what became of that."""

from __future__ import annotations

from typing import Annotated

import typer

from transpile.cli import render
from transpile.core import Attempt, ByModel, WrittenTest
from transpile.errors import UsageError
from transpile.report import wording
from transpile.report.findings import reason_of
from transpile.stages.dialogues import Dialogues
from transpile.stages.testing import WrittenTests
from transpile.stages.tests import Power, Written
from transpile.store import Store
from transpile.toolchains.workshop import cache_directory

_ELEMENTS = 8
"""Elements of an array that are shown."""


def dialogue(
    identifier: Annotated[str, typer.Argument(metavar="ID", help="Evidence, or the beginning of its id.")],
) -> None:
    """Show what models were asked about the unit of evidence ID, and what was made of their answers."""
    evidence = Store(cache_directory() / "evidence").get(identifier)
    asked = [(item.origin, item) for item in evidence.attempts if isinstance(item.origin, ByModel)]
    written = WrittenTests(cache_directory() / "tests").find(dict(evidence.provenance).get("tests", ""))
    if not asked and written is None:
        raise UsageError(f"{evidence.id}: no model was asked of {evidence.unit.id}")
    if written is not None:
        _show_tests(written)
    kept = Dialogues(cache_directory() / "dialogues")
    shown = ""
    steps = evidence.optimization.steps if evidence.optimization is not None else ()
    order = ["", *(step.transformation for step in steps)]
    asked.sort(key=lambda pair: (order.index(pair[0].transformation), *_place(pair[0])))
    for origin, attempt in asked:
        exchange = kept.find(origin.prompt)
        if origin.prompt != shown and exchange is not None:
            shown = origin.prompt
            # Later rounds begin with what was shown before.
            for message in exchange.messages if origin.round == 0 else exchange.messages[-1:]:
                _show(f"{message.role}, round {origin.round}", message.content)
        if exchange is not None and origin.sample < len(exchange.answers) and not origin.draft:
            _show(f"{origin.model}, answer {origin.sample}", exchange.answers[origin.sample])
        _show(f"testers, of draft {origin.draft}" if origin.draft else "testers", _verdict(attempt))
    for step in steps:
        _show("clock", wording.step(step))


def _place(origin: ByModel) -> tuple[int, int, int]:
    """Return where an attempt stands in its dialogue: drafts behind what their answer means."""
    return origin.round, origin.sample, origin.draft


def _show_tests(written: Written) -> None:
    """Show what a tester was asked, what it wrote, and what became of each test."""
    for message in written.prompt:
        _show(f"{message.role}, tests", message.content)
    for number, answer in enumerate(written.answers):
        _show(f"{answer.model}, tests {number}", answer.text or answer.message)
    lines = [f"admitted: {_test(item.test)}: {', '.join(item.merits)}" for item in written.admitted]
    lines += [f"declined: {_test(item.test)}: {item.reason}" for item in written.declined]
    if written.before is not None and written.after is not None:
        lines.append(f"notices {_score(written.before)}, with the tests {_score(written.after)}")
    _show("testers", "\n".join(lines) or written.reason)


def _score(power: Power) -> str:
    strength, coverage = power.strength, power.coverage
    return (
        f"{strength.killed} of {strength.real} faults and takes {coverage.taken} of {coverage.total} branches"
    )


def _test(test: WrittenTest) -> str:
    """Return an input in words."""
    parts = [f"{name} = {value}" for name, value in test.scalars]
    for name, values in test.arrays:
        shown = ", ".join(map(str, values[:_ELEMENTS]))
        parts.append(f"{name} = [{shown}{', …' if len(values) > _ELEMENTS else ''}]")
    return ", ".join(parts)


def _verdict(attempt: Attempt) -> str:
    return f"{attempt.verdict.kind}: {reason_of(attempt.verdict)}"


def _show(who: str, text: str) -> None:
    render.heading(who)
    render.data_text(text.rstrip("\n"))
