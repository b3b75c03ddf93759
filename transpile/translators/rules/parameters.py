"""Parameters that a thread changes for itself."""

from __future__ import annotations

import re

from transpile.translators.rules.draft import Draft
from transpile.translators.rules.names import free_name
from transpile.translators.rules.syntax import Edit, indent_unit, indentation, replace


def own_parameters(draft: Draft) -> Draft:
    """Give each thread its own copy of the parameters that the body changes."""
    function = draft.function
    edits: list[Edit] = []
    lines: list[str] = []
    for variable in draft.variables(function).all:
        if not variable.parameter or variable.reference or variable.constant:
            continue
        name = free_name(function.identifiers, f"my_{variable.name}")
        declared = next(p for p in function.parameters if p.name == variable.name).text
        declared = re.sub(r"\s*=.*", "", declared)
        declared = re.sub(
            rf"\b{variable.name}\b(\s*\[[^\]]*\])?",
            lambda m, n=name: ("*" if m.group(1) else "") + n,
            declared,
        )
        lines.append(f"{declared} = {variable.name};")
        edits += [replace(use, name) for use in variable.uses]
    if not edits:
        return draft
    indent = "\n" + indentation(function.text, function.body.end_byte - 1) + indent_unit(function)
    start = function.body.start_byte + 1
    edits.append(Edit(start, start, "".join(indent + line for line in lines)))
    return draft.after("own-parameters", function.edited(edits))
