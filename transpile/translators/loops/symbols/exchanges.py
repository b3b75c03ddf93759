"""Pointers that a function exchanges: two buffers of which one is read while the other one is written.

Between exchanges such pointers stay, so in a loop without one they are arrays as parameters are. Which arrays
of the caller's they lead to is not known, so each is taken to be as long as the longest of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.syntax import field, inside, operator, source, unparenthesized
from transpile.code.variables import Variable, Variables


def exchanged(variable: Variable, variables: Variables) -> tuple[Variable, ...]:
    """Return the pointers that lead to the same few arrays in turns; nothing where one leads elsewhere."""
    found, left = dict[int, Variable](), [variable]
    while left:
        one = left.pop()
        if id(one) in found:
            continue
        others = _given(one, variables)
        if others is None:
            return ()
        found[id(one)] = one
        left += [*others, *(item for item in variables.all if one in (_given(item, variables) or ()))]
    return tuple(found.values())


def arrays(pointers: tuple[Variable, ...]) -> Iterator[Variable]:
    """Yield the parameters among exchanged pointers: what they lead to when the function is called."""
    return (item for item in pointers if item.parameter)


def is_unmoved(variable: Variable, node: Node) -> bool:
    """Tell whether a pointer leads to the same array all through a statement."""
    return not any(inside(write, node) for write in moves(variable))


def moves(variable: Variable) -> list[Node]:
    """Return the writes of a pointer itself, and not of what it leads to."""
    targets = (
        (write, write.child_by_field_name("left") or field(write, "argument")) for write in variable.writes
    )
    return [write for write, target in targets if unparenthesized(target).type == "identifier"]


def _given(variable: Variable, variables: Variables) -> list[Variable] | None:
    """Return the pointers that a pointer is made to lead where they do; None where it leads elsewhere."""
    if not variable.pointer or variable.escapes or variable.static or source(variable.shape).count("*") > 1:
        return None
    values = [variable.initializer] if variable.initializer is not None else []
    for write in moves(variable):
        if write.type != "assignment_expression" or operator(write) != "=":
            return None
        values.append(field(write, "right"))
    others = [variables.of(unparenthesized(value)) for value in values]
    known = [item for item in others if item is not None and item.pointer]
    return known if len(known) == len(others) and (known or variable.parameter) else None
