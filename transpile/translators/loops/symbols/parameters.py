"""Parameters that are declared by macros, such as ``DATA_TYPE POLYBENCH_2D(C, NI, NJ, ni, nj)``.

Analysis sees them as their signature says; what is written has the macros.
"""

from __future__ import annotations

import re

from transpile.code.edits import apply_outermost
from transpile.code.syntax import Function, replace
from transpile.core import Parameter, Signature
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.expansions import Spelling


def declared(text: str, signature: Signature, around: EnclosingScope) -> tuple[str, tuple[Spelling, ...]]:
    """Return a function with parameters that macros declare as its signature says, and their spellings."""
    function = Function(text)
    known = [item for item in signature.parameters if "." not in item.name and not item.outside]
    if len(known) != len(function.parameters):
        return text, ()
    pairs = [
        (shown, item)
        for shown, item in zip(function.parameters, known, strict=True)
        if shown.name != item.name
        and shown.name in around.defined
        and re.search(rf"\b{re.escape(item.name)}\b", shown.text)
    ]
    new = apply_outermost(text, (replace(shown.node, _declaration(item, item.name)) for shown, item in pairs))
    spellings = [Spelling(shown.text, _declaration(item, item.name)) for shown, item in pairs]
    # The length of rows is that of one build.
    copies = [(f"{item.name}_device", item) for _, item in pairs if item.row and not item.const]
    spellings += [
        Spelling(f"decltype({item.name}) {name}", _declaration(item, name)) for name, item in copies
    ]
    return new, tuple(spellings)


def _declaration(parameter: Parameter, name: str) -> str:
    """Return the declaration of a parameter of some name as C."""
    element = parameter.element
    if element is None or not parameter.pointer:
        return f"{parameter.spelling} {name}"
    kind = f"{'const ' * parameter.const}{element.spelling.removeprefix('const ')}"
    rows = "".join(f"[{length}]" for length in parameter.row)
    return f"{kind} (*{name}){rows}" if rows else f"{kind} *{name}"
