"""Index variables that are declared first and assigned below, as in C89."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import field, find, source
from transpile.code.variables import Variable
from transpile.translators.kernels.coordinates import Reader
from transpile.translators.kernels.draft import Draft

_KEPT = re.compile(r"\b(?:static|extern|register|volatile|auto|__shared__)\b")
"""Words of a declaration that has to stay where it is."""


def late_declarations(draft: Draft) -> Draft:
    """Write ``int i; … i = blockIdx.x;`` as ``int i = blockIdx.x;``, where nothing mentions it in between."""
    function = draft.function
    if any(True for _ in find(function.body, "goto_statement", "labeled_statement")):
        return draft
    variables = draft.variables(function)
    reader = Reader(function, variables)
    statements = [child for child in function.body.named_children if child.type != "comment"]
    late: dict[str, tuple[Variable, Node]] = {}
    for at, declaration in enumerate(statements):
        for variable in variables.all:
            if variable.declaration.id != declaration.id or variables.in_macros(variable):
                continue
            if is_bare(function.text, variable):
                assigned = _first_use(statements[at + 1 :], variable.name)
                value = assigned and assigned.child_by_field_name("right")
                if assigned is not None and value is not None and _is_index(value, reader, late):
                    late[variable.name] = (variable, assigned)
    edits = [*moved(function.text, list(late.values()))]
    return draft.after("late-declarations", function.edited(edits)) if edits else draft


def is_bare(text: str, variable: Variable) -> bool:
    """Tell whether a number is declared without a value, and by nothing but its type."""
    plain = variable.initializer is None and not (variable.pointer or variable.array or variable.reference)
    return plain and variable.declarator.type == "identifier" and not _KEPT.search(_head(text, variable))


def _head(text: str, variable: Variable) -> str:
    """Return the type of a declaration as it is written."""
    declarators = variable.declaration.children_by_field_name("declarator")
    return text[variable.declaration.start_byte : declarators[0].start_byte].rstrip()


def _first_use(statements: Sequence[Node], name: str) -> Node | None:
    """Return the assignment that is the first statement to mention a variable; None where it is another."""
    for statement in statements:
        names = [source(item) for item in find(statement, "identifier")]
        if name not in names:
            continue
        inner = statement.named_children[0] if statement.type == "expression_statement" else statement
        left = inner.child_by_field_name("left")
        alone = names.count(name) == 1 and left is not None and left.type == "identifier"
        plain = inner.type == "assignment_expression" and source(field(inner, "operator")) == "="
        return inner if alone and plain and left is not None and source(left) == name else None
    return None


def _is_index(value: Node, reader: Reader, late: dict[str, tuple[Variable, Node]]) -> bool:
    """Tell whether a value is made of the thread's place, and changes nothing."""
    if any(True for _ in find(value, "assignment_expression", "update_expression")):
        return False
    return bool(reader.mentions(value)) or any(source(item) in late for item in find(value, "identifier"))


def moved(text: str, late: Sequence[tuple[Variable, Node]]) -> Iterator[Edit[str]]:
    """Yield the edits that take variables out of their declarations and declare them below."""
    for declaration in {variable.declaration.id: variable.declaration for variable, _ in late}.values():
        names = {variable.name for variable, _ in late if variable.declaration.id == declaration.id}
        declarators = declaration.children_by_field_name("declarator")
        left = [source(item) for item in declarators if source(item) not in names]
        if left:
            yield Edit(declarators[0].start_byte, declarators[-1].end_byte, ", ".join(left))
            continue
        blanks = len(text[declaration.end_byte :]) - len(text[declaration.end_byte :].lstrip(" \t"))
        start, end = declaration.start_byte, declaration.end_byte + blanks
        if text.startswith("\n", end):
            start, end = len(text[:start].rstrip(" \t")), end + 1
        yield Edit(start, end, "")
    for variable, assigned in late:
        yield Edit(assigned.start_byte, assigned.start_byte, f"{_head(text, variable)} ")
