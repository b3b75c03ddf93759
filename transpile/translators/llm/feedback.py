"""Feedback to a model on a failed attempt: the reason, and no more than matters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transpile.core import Counterexample, Falsified, Inconclusive, Passed, Rejected, Trial, Verdict

_MOST = 12
"""Lines: the first error is the one to repair."""
_WIDTH = 600
_AMBIGUOUS = re.compile(r"\bambiguous\b")
_TWICE = (
    "Functions that you write again stand beside those of the source, in a namespace of their own while your"
    " code is compiled. Call yours by another name, or leave it out and call the one that is there."
)
_WHY = {
    "race": "Two threads touch the same element without protection. Results may be right by luck.",
    "barrier": "Threads of one block wait at different barriers: the result is undefined.",
    "address": "It leaves an array, or reads what is not there.",
    "undefined": "Its behaviour is undefined.",
    "timeout": "It does not end.",
    "crash": "It ends the process.",
    "unwritten": "It reads memory that nobody wrote, or does not write what the source writes.",
    "leak": "Memory that it took is not given back.",
    "exact": "The inputs are small integers, so rounding does not explain the difference.",
    "tolerance": "The difference is larger than rounding explains.",
}


def feedback(verdict: Verdict) -> tuple[str, list[str]] | None:
    """Return in a sentence what became of an attempt, and the lines that show it.

    None where nothing about the candidate is known to be wrong: then no repair can help.
    """
    match verdict:
        case Rejected(stage=stage, diagnostics=found):
            what = {
                "answer": "Your answer cannot be used.",
                "build": "It does not compile.",
                "policy": "It does what a translation has no business with.",
            }.get(stage, "It was refused.")
            lines = [line for item in found for line in _lines(item.message, item.hint)][:_MOST]
            return what, [*lines, *([_TWICE] if any(map(_AMBIGUOUS.search, lines)) else [])]
        case Falsified(counterexample=example, trials=trials):
            behind = f" after {trials} trials that it passed" if trials else ""
            return f"It compiles, and behaves unlike its source{behind}.", list(_counterexample(example))
        case Inconclusive() | Passed():
            return None


def _lines(*texts: str) -> Iterator[str]:
    """Yield the lines that tell of an error, without the paths of this machine."""
    for text in texts:
        for line in text.splitlines():
            shown = re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "", line).rstrip()
            if shown.strip():
                yield shown[:_WIDTH]


def _counterexample(example: Counterexample) -> Iterator[str]:
    yield f"check: {example.check}"
    yield f"{example.where}: expected {example.expected}, got {example.got}"[:_WIDTH]
    yield from (line[:_WIDTH] for line in example.others)
    yield f"called with: {_trial(example.trial)}"[:_WIDTH]
    yield from (line[:_WIDTH] for line in example.inputs)
    if example.before:
        yield f"after {len(example.before)} other calls in the same process: something is kept between calls"
    why = next((text for word, text in _WHY.items() if word in example.check), "")
    if why:
        yield why


def _trial(trial: Trial) -> str:
    parts = [f"{name} = {value}" for name, value in trial.scalars]
    grid, block = trial.launch.grid, trial.launch.block
    if (grid, block) != ((1, 1, 1), (1, 1, 1)):
        parts.append(f"launched as <<<dim3{grid}, dim3{block}>>>")
    if trial.template_arguments:
        parts.append(f"instantiated as <{trial.template_arguments}>")
    return ", ".join(parts) or "no scalars"
