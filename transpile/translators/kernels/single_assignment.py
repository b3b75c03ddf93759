"""Variables that are assigned one value after the other, where threads meet: a variable for each value.

A value that never changes is worth the same on both sides of a barrier, and may decide who waits there. This
is static single assignment for straight-line code (Cytron et al., 1991).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import Function, condition, consequence, field, find, operator, source
from transpile.code.trees import declared
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import JUMPS, has_barrier, is_return

_SHAPES = ("identifier", "pointer_declarator")


def single_assignment(draft: Draft) -> Draft:
    """Declare a variable for each value of what decides which threads return before a barrier."""
    function = draft.function
    if not has_barrier(function.body) or any(True for _ in find(function.body, *JUMPS)):
        return draft
    variables = draft.variables(function)
    taken = set(function.identifiers)
    edits = [
        edit
        for variable in _deciding(function, variables)
        if (assigned := _assignments(function, variables, variable))
        for edit in _edits(function, variable, assigned, taken)
    ]
    return draft.after("single-assignment", function.edited(edits)) if edits else draft


def _deciding(function: Function, variables: Variables) -> list[Variable]:
    """Return the variables that conditions of early returns are computed from, where any of them changes."""
    last = max(index for index, item in enumerate(function.statements) if has_barrier(item))
    left = [
        used
        for statement in function.statements[:last]
        if statement.type == "if_statement" and is_return(consequence(statement))
        for used in variables.used_in(condition(statement))
    ]
    if all(variable.constant for variable in left):
        return []
    found: dict[int, Variable] = {}
    while left:
        variable = left.pop()
        if found.setdefault(id(variable), variable) is variable and not variable.parameter:
            sources = filter(None, (*variable.writes, variable.initializer))
            left += [used for node in sources for used in variables.used_in(node) if id(used) not in found]
    return [variable for variable in variables.all if id(variable) in found]


def _assignments(function: Function, variables: Variables, variable: Variable) -> Sequence[Node]:
    """Return the assignments to a variable if they are all that happens to it, in order; else nothing."""
    plain = not (variable.array or variable.reference or variable.shared or variable.static)
    plain &= variable.shape.type in _SHAPES and "auto" not in variable.type
    alone = sum(other.declaration.id == variable.declaration.id for other in variables.all) == 1
    if not plain or variable.parameter or variable.escapes or "volatile" in source(variable.declaration):
        return ()
    if not alone or variable.declaration.parent is None or variable.declaration.parent.id != function.body.id:
        return ()
    if variables.in_macros(variable):
        return ()
    found = [_whole(function, write) for write in variable.writes]
    values = sorted((node for node in found if node is not None), key=lambda node: node.start_byte)
    first = values[0].start_byte if values else 0
    early = variable.initializer is None and any(use.start_byte < first for use in variable.uses)
    return values if len(values) == len(found) and not early else ()


def _whole(function: Function, write: Node) -> Node | None:
    """Return the assignment that a write is, if it is one of the body's own statements."""
    statement = write.parent
    if statement is None or statement.type != "expression_statement" or statement.parent is None:
        return None
    plain = write.type == "assignment_expression" and operator(write) == "="
    own = plain and field(write, "left").type == "identifier" and statement.parent.id == function.body.id
    return write if own else None


def _edits(
    function: Function, variable: Variable, assigned: Sequence[Node], taken: set[str]
) -> Iterator[Edit[str]]:
    """Yield the edits that give each value a declaration; the last one keeps the name."""
    declaration = variable.declaration
    head = function.text[declaration.start_byte : variable.declarator.start_byte]
    first = int(variable.initializer is not None)
    names = [*_fresh(variable.name, first + len(assigned) - 1, taken), variable.name]
    if first:
        name = declared(variable.shape)
        assert name is not None
        yield Edit(name.start_byte, name.end_byte, names[0])
    else:
        yield Edit(declaration.start_byte, declaration.end_byte, "")
    shape = source(variable.shape)
    lefts = {field(node, "left").id: number for number, node in enumerate(assigned, first)}
    for use in variable.uses:
        number = lefts.get(use.id)
        if number is not None:
            yield Edit(use.start_byte, use.end_byte, head + re.sub(r"\w+$", names[number], shape))
        else:
            known = first - 1 + sum(use.start_byte >= node.end_byte for node in assigned)
            yield Edit(use.start_byte, use.end_byte, names[known])


def _fresh(name: str, many: int, taken: set[str]) -> Iterator[str]:
    """Yield names for earlier values, and take them."""
    for _ in range(many):
        fresh = next(wish for number in count(1) if (wish := f"{name}{number}") not in taken)
        taken.add(fresh)
        yield fresh
