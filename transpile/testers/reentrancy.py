"""Candidates that keep data from call to call: two callers at once would share what each thinks its own."""

from __future__ import annotations

import re

from transpile.core import Candidate, Diagnostic, Rejected, Severity, Source, Unit
from transpile.parsers.lasting import lasting

_NAME = re.compile(rb"[A-Za-z_]\w*")


def sharing(source: Source, unit: Unit, candidate: Candidate) -> Rejected | None:
    """Return that a candidate declares variables that outlive its calls, or None."""
    found = []
    for replacement in candidate.replacements:
        known = set(_NAME.findall(source.unit(replacement.unit).text))
        found += [item for item in lasting(replacement.text) if item.name.encode() not in known]
    diagnostics = tuple(
        Diagnostic(
            code="TP410",
            severity=Severity.ERROR,
            path=unit.path,
            line=unit.line,
            message=f"the translation keeps data from call to call: `{item.name}` in its line {item.line}",
            hint="calls from two threads would share it; make it a variable of the call, or constant",
        )
        for item in found
    )
    return Rejected(stage="policy", diagnostics=diagnostics) if found else None
