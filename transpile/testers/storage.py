"""Candidates whose memory is of the wrong kind: shared by all callers, or too little for a large call."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transpile.core import Candidate, Diagnostic, Rejected, Severity, Source, Unit
from transpile.parsers.growing import growing
from transpile.parsers.lasting import lasting

_NAME = re.compile(rb"[A-Za-z_]\w*")


def misplaced_memory(source: Source, unit: Unit, candidate: Candidate) -> Rejected | None:
    """Return that a candidate has variables that outlive its calls, or arrays that outgrow the stack.

    What the source declares so itself is none of the candidate's doing.
    """
    found = [
        _diagnostic(unit, *told)
        for item in candidate.replacements
        for told in (*_shared(source, item.unit, item.text), *_outgrowing(source, item.unit, item.text))
    ]
    return Rejected(stage="policy", diagnostics=tuple(found)) if found else None


def _shared(source: Source, replaced: str, text: bytes) -> Iterator[tuple[str, str]]:
    known = set(_NAME.findall(source.unit(replaced).text))
    for item in lasting(text):
        if item.name.encode() not in known:
            message = f"keeps data from call to call: `{item.name}` in its line {item.line}"
            yield (
                message,
                "calls from two threads would share it: make it a variable of the call, or constant",
            )


def _outgrowing(source: Source, replaced: str, text: bytes) -> Iterator[tuple[str, str]]:
    if any(True for _ in growing(source.unit(replaced).text)):
        return
    for item in dict.fromkeys(growing(text)):
        message = (
            f"has an array on the stack that grows with a variable: `{item.name}` in its line {item.line}"
        )
        yield message, "a large call has no room for it: take it from the heap"


def _diagnostic(unit: Unit, message: str, hint: str) -> Diagnostic:
    return Diagnostic(
        code="TP410",
        severity=Severity.ERROR,
        path=unit.path,
        line=unit.line,
        message=f"the translation {message}",
        hint=hint,
    )
