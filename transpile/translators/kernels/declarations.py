"""Declarations of several variables, one of which stands for the thread."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.edits import Edit
from transpile.code.syntax import declared_name, field, find, indentation, source
from transpile.code.variables import Variable
from transpile.translators.kernels.coordinates import Reader
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import has_barrier, has_warp_primitive
from transpile.translators.kernels.types import normal

_DECLARATORS = frozenset(
    {
        "identifier",
        "init_declarator",
        "pointer_declarator",
        "reference_declarator",
        "array_declarator",
        "function_declarator",
    }
)
_PLAIN = frozenset({"identifier", "pointer_declarator"})


def hides(inner: Iterable[Node], outer: Iterable[Node]) -> bool:
    """Tell whether statements declare a name that others, which see none of it, use."""
    used = {source(name) for node in outer for name in find(node, "identifier")}
    return any(
        declared_name(child) in used
        for item in inner
        if item.type == "declaration"
        for child in item.named_children
        if child.type in _DECLARATORS
    )


def plain_initializers(draft: Draft) -> Draft:
    """Write ``int i{a + b};`` as ``int i = a + b;``, where both mean the same: numbers and pointers."""
    function = draft.function
    edits: list[Edit[str]] = []
    for variable in draft.variables(function).all:
        value = variable.initializer
        if value is None or value.type != "initializer_list" or variable.array or variable.reference:
            continue
        given = [child for child in value.named_children if child.type != "comment"]
        known = variable.pointer or normal(variable.type) is not None
        if not known or len(given) > 1 or field(variable.declarator, "declarator").type not in _PLAIN:
            continue
        if given and given[0].type == "initializer_list":
            continue
        written = source(given[0]) if given else "nullptr" if variable.pointer else "0"
        start = len(function.text[: value.start_byte].rstrip())
        edits.append(Edit(start, value.end_byte, f" = {written}"))
    return draft.after("plain-initializers", function.edited(edits)) if edits else draft


def split_declarations(draft: Draft) -> Draft:
    """Give index variables, and all initialized variables where threads meet, a declaration each."""
    function = draft.function
    variables = draft.variables(function)
    reader = Reader(function, variables)
    meet = has_barrier(function.body) or has_warp_primitive(function.body) or "__shared__" in code(draft.text)
    edits: list[Edit[str]] = []
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


def _split(text: str, declaration: Node, declared: list[Variable]) -> Edit[str]:
    head = text[declaration.start_byte : declared[0].declarator.start_byte].rstrip()
    lead = "\n" + indentation(text, declaration.start_byte)
    lines = [f"{head} {source(variable.declarator)};" for variable in declared]
    return Edit(declaration.start_byte, declaration.end_byte, lead.join(lines))
