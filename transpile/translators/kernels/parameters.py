"""Parameters that a thread changes for itself."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import Function, field, indent_unit, indentation, inside, operator, replace, source
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.draft import Draft


def own_parameters(draft: Draft) -> Draft:
    """Give each thread its own copy of the parameters that the body changes."""
    function = draft.function
    edits: list[Edit[str]] = []
    lines: list[str] = []
    variables = draft.variables(function)
    for variable in variables.all:
        if not variable.parameter or variable.reference or variable.constant:
            continue
        name = free_name(function.identifiers, f"my_{variable.name}")
        declared = next(p for p in function.parameters if p.name == variable.name).text
        declared = re.sub(r"\s*=.*", "", declared)
        declared = re.sub(rf"\b{variable.name}\b\s*\[[^\]]*\]", f"*{name}", declared)
        declared = re.sub(rf"\b{variable.name}\b", name, declared)
        value = variable.name
        moved = _moved_at_once(function, variable, variables)
        if moved is not None:
            value += f" + {source(field(moved, 'right'))}"
            edits.append(_without(function.text, moved))
        lines.append(f"{declared} = {value};")
        edits += [replace(use, name) for use in variable.uses]
    if not edits:
        return draft
    indent = "\n" + indentation(function.text, function.body.end_byte - 1) + indent_unit(function)
    start = function.body.start_byte + 1
    edits.append(Edit(start, start, "".join(indent + line for line in lines)))
    return draft.after("own-parameters", function.edited(edits))


def _moved_at_once(function: Function, variable: Variable, variables: Variables) -> Node | None:
    """Return the one addition to a pointer parameter that comes before everything else done with it.

    What it adds must not depend on variables, since the addition moves to the start of the body.
    """
    if not variable.pointer or variable.escapes or len(variable.writes) != 1:
        return None
    write = variable.writes[0]
    statement = write.parent
    if write.type != "assignment_expression" or operator(write) != "+=" or statement is None:
        return None
    if statement.parent is None or statement.parent.id != function.body.id:
        return None
    if any(not v.constant for v in variables.used_in(field(write, "right"))):
        return None
    if not inside(variable.uses[0], write) or any(
        item.type == "declaration" and item.start_byte < statement.start_byte and _mentions(write, item)
        for item in function.statements
    ):
        return None
    return write


def _mentions(write: Node, declaration: Node) -> bool:
    """Tell whether an assignment uses what a declaration declares."""
    declared = {source(n) for n in declaration.named_children if n.type == "identifier"}
    declared |= {
        source(field(n, "declarator")) for n in declaration.named_children if n.type == "init_declarator"
    }
    return any(word in declared for word in re.findall(r"[A-Za-z_]\w*", source(field(write, "right"))))


def _without(text: str, write: Node) -> Edit[str]:
    """Return the edit that drops the statement of an assignment, with its line if it has one to itself."""
    statement = write.parent
    assert statement is not None
    start, end = statement.start_byte, statement.end_byte
    line = text.rfind("\n", 0, start)
    if line >= 0 and not text[line:start].strip():
        start = line
    return Edit(start, end, "")
