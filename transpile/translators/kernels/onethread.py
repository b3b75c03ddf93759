"""Kernels that give the same under any launch, as one thread runs them: nobody has to say the launch."""

from __future__ import annotations

import re
from dataclasses import replace

from transpile.code.edits import Edit
from transpile.code.syntax import indent_unit, indentation
from transpile.core import Invariant
from transpile.translators.kernels.draft import Draft

_COUNT = re.compile(r"(?:gridDim|blockDim)\.[xyz](?:\s*\*\s*(?:gridDim|blockDim)\.[xyz])*")


def one_thread(draft: Draft) -> Draft:
    """Make parameters that stand for the launch constants of one thread, where any launch will do."""
    counts = all(_COUNT.fullmatch(value) for _, value in draft.extra)
    if not draft.extra or not counts or not isinstance(draft.law, Invariant):
        return draft
    function = draft.function
    *kept, first = function.parameters[: len(function.parameters) - len(draft.extra) + 1]
    start = kept[-1].node.end_byte if kept else first.node.start_byte
    indent = indentation(draft.text, function.body.end_byte - 1) + indent_unit(function)
    lines = [f"\n{indent}const {declaration} = 1;" for declaration, _ in draft.extra]
    body = function.body.start_byte + 1
    edits = [Edit(start, function.parameters[-1].node.end_byte, ""), Edit(body, body, "".join(lines))]
    return replace(draft.after("one-thread", function.edited(edits)), extra=())
