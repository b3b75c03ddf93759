"""Declarations of several variables, one of which stands for the thread."""

from __future__ import annotations

from tree_sitter import Node

from transpile.translators.rules.comments import code
from transpile.translators.rules.coordinates import Reader
from transpile.translators.rules.draft import Draft
from transpile.translators.rules.effects import has_barrier, has_warp_primitive
from transpile.translators.rules.syntax import Edit, find, indentation, source
from transpile.translators.rules.variables import Variable


def split_declarations(draft: Draft) -> Draft:
    """Give index variables, and all initialized variables where threads meet, a declaration each."""
    function = draft.function
    variables = draft.variables(function)
    reader = Reader(function, variables)
    meet = has_barrier(function.body) or has_warp_primitive(function.body) or "__shared__" in code(draft.text)
    edits: list[Edit] = []
    for declaration in find(function.body, "declaration"):
        if declaration.parent is None or declaration.parent.type not in (
            "compound_statement",
            "case_statement",
        ):
            continue
        declared = [v for v in variables.all if v.declaration.id == declaration.id]
        if len(declared) < 2:
            continue
        apart = any(
            v.shared or (v.initializer is not None and (meet or reader.mentions(v.initializer)))
            for v in declared
        )
        if apart or meet:
            edits.append(_split(function.text, declaration, declared))
    return draft.after("split-declarations", function.edited(edits))


def _split(text: str, declaration: Node, declared: list[Variable]) -> Edit:
    head = text[declaration.start_byte : declared[0].declarator.start_byte].rstrip()
    lead = "\n" + indentation(text, declaration.start_byte)
    lines = [f"{head} {source(variable.declarator)};" for variable in declared]
    return Edit(declaration.start_byte, declaration.end_byte, lead.join(lines))
