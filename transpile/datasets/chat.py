"""Chats that trainers read as they are: translations, preferences, labelled answers, repairs, tests.

The columns are those of TRL: ``prompt`` and ``completion`` for supervised fine-tuning, whose loss is then
on the answer alone; with ``chosen`` and ``rejected`` for preferences, with ``label`` for answers of one kind.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from transpile.core import (
    CPP,
    CUDA,
    HIP,
    OPENMP,
    OPENMP_TARGET,
    STDPAR,
    C,
    Candidate,
    Evidence,
    Falsified,
    Rejected,
    Trial,
)
from transpile.datasets.pairs import Decided, Row
from transpile.translators.llm.facts import facts_of
from transpile.translators.llm.feedback import feedback
from transpile.translators.llm.form import form_of_candidate
from transpile.translators.llm.prompts import repair

_TITLES = {item.name: item.traits.prompt for item in (CPP, CUDA, OPENMP, OPENMP_TARGET, HIP, STDPAR)} | {
    C.name: "C"
}
_SYSTEM = (
    "You translate code of high-performance computing between programming models, and change nothing of what"
    " it does."
)
_TESTER = (
    "You choose inputs that test code of high-performance computing. What is right, the code itself says."
)
_FOLDER = files("transpile.datasets") / "templates"
_MOST = 4
"""Wrong answers to one question that rows hold: more say the same again."""
Turns = list[dict[str, str]]


def translation(item: Decided) -> Row:
    """Return a question with a right answer."""
    return {"prompt": question(item), "completion": _said(_answer(item.candidate)), **_about(item)}


def labelled(item: Decided) -> Row:
    """Return a question with an answer, and whether it is right (KTO)."""
    return {**translation(item), "label": bool(item.row["agrees"])}


def preferences(right: Decided, wrong: Sequence[Decided]) -> Iterator[Row]:
    """Yield a right answer over each wrong one to the same question."""
    for other in wrong[:_MOST]:
        yield {
            "prompt": question(right),
            "chosen": _said(_answer(right.candidate)),
            "rejected": _said(_answer(other.candidate)),
            "reason": _reason(other),
            "rejected_id": other.row["id"],
            **_about(right),
        }


def repairs(right: Decided) -> Iterator[Row]:
    """Yield dialogues in which a wrong answer is told from its verdict, and put right."""
    form = form_of_candidate(right.candidate)
    for candidate, what, lines in list(_wrong(right.evidence, right.candidate))[:_MOST]:
        if form is None:
            return
        told = repair(what, lines, form.name, form.prototype)
        yield {
            "prompt": [*question(right), *_said(_answer(candidate)), {"role": "user", "content": told}],
            "completion": _said(_answer(right.candidate)),
            "reason": what,
            **_about(right),
        }


def written_tests(item: Decided) -> Iterator[Row]:
    """Yield the tests of a unit that a model wrote and that were admitted, as one answer."""
    found = [trial for trial in item.evidence.pool if trial.written is not None]
    if found:
        tests = {"tests": [_test(trial) for trial in found]}
        yield {
            "prompt": [
                {"role": "system", "content": _TESTER},
                {"role": "user", "content": _rendered("test.md", item)},
            ],
            "completion": _said(json.dumps(tests)),
            **_about(item),
        }


def question(item: Decided) -> Turns:
    """Return what is asked for, from the row alone."""
    return [
        {"role": "system", "content": _SYSTEM},
        {"role": "user", "content": _rendered("translate.md", item)},
    ]


def _rendered(name: str, item: Decided) -> str:
    row = item.row
    text = "\n".join((row["context"], row["callees"], row["source"]))
    form = form_of_candidate(item.candidate)
    return _ENVIRONMENT.from_string((_FOLDER / name).read_text(encoding="utf-8")).render(
        row=row,
        source_title=_TITLES[row["source_dialect"]],
        target_title=_TITLES[row["target_dialect"]],
        facts=facts_of(item.evidence.contracts, text).certain,
        prototype=form.prototype if form is not None else "",
    )


_ENVIRONMENT = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def _answer(candidate: Candidate) -> str:
    headers = "".join(f"#include {name}\n" for name in candidate.headers)
    code = "\n\n".join(part.shown.strip() for part in reversed(candidate.replacements))
    return f"```cpp\n{headers}{code}\n```"


def _said(text: str) -> Turns:
    return [{"role": "assistant", "content": text}]


def _wrong(evidence: Evidence, right: Candidate) -> Iterator[tuple[Candidate, str, list[str]]]:
    """Yield candidates that fell, with what is said of them; those that have a head like the right one."""
    for attempt in evidence.attempts:
        candidate, verdict = attempt.candidate, attempt.verdict
        if candidate is None or candidate.dialect != right.dialect or candidate.binding != right.binding:
            continue
        said = feedback(verdict) if isinstance(verdict, Falsified | Rejected) else None
        if said is not None:
            yield candidate, *said


def _reason(wrong: Decided) -> str:
    said = feedback(wrong.verdict)
    return "\n".join((said[0], *said[1])) if said is not None else ""


def _test(trial: Trial) -> Row:
    arrays = {name: list(values) for name, values in trial.written or ()}
    return {"scalars": dict(trial.scalars), "arrays": arrays}


def _about(item: Decided) -> Row:
    names = ("id", "unit", "source_dialect", "target_dialect", "translator", "model", "repository", "licence")
    return {name: item.row[name] for name in names}
