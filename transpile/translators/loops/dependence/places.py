"""Where expressions lead: which array, and the numbers of the element there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, add, constant, multiply
from transpile.code.syntax import called, field, operator, source, subscript, unparenthesized
from transpile.code.types import arithmetic
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.symbols.containers import depth, elements
from transpile.translators.loops.symbols.exchanges import exchanged, moves
from transpile.translators.loops.symbols.paths import element, path


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression leads: an array, and the numbers of the element."""

    base: str
    variable: Variable | None
    subscripts: tuple[Polynomial | None, ...]
    unit: int | None
    exchanged: bool = False
    """It is counted from where a pointer leads at the time, to one array or another."""
    whole: Place | None = None
    """The struct that the array is a member of."""

    @property
    def offset(self) -> Polynomial | None:
        """Return how many elements a pointer is ahead."""
        return self.subscripts[0]

    def at(self, *subscripts: Polynomial | None) -> Place:
        """Return another place in the same array."""
        return replace(self, subscripts=subscripts)


_LENGTH = re.compile(r"\[[^\[\]]*\]")
ROWS = "[]"
"""Ends the name of all that the pointers in an array lead to."""


def place_of(node: Node, variables: Variables, values: Values) -> Place | None:
    """Return the array that an expression leads into and the numbers of the element."""
    node = unparenthesized(node)
    if node.type == "field_expression" and not values.pointer(node)[0]:
        return holder(node, variables, values)  # a member of an element counts as all of it
    if node.type == "subscript_expression":
        indices: list[Polynomial | None] = []
        while node.type == "subscript_expression":
            if not _has_one_subscript(node):
                return None
            indices.insert(0, values.of(unparenthesized(subscript(node))))
            node = unparenthesized(field(node, "argument"))
        if node.type == "field_expression" and not values.pointer(node)[0]:
            return _in_struct(node, indices, variables, values)
        start = pointed(node, variables, values)
        if start is None:
            return None
        if start.variable and _leads_to_pointers(start.variable, len(indices)):
            return _in_rows(start.variable, len(indices))
        rows = start.base in values.around.arrays
        if start.variable is None and "." in start.base and len(indices) > 1 and not rows:
            return None  # pointers to pointers
        ahead, first = start.offset, indices[0]
        return start.at(None if ahead is None or first is None else add(ahead, first), *indices[1:])
    if node.type == "pointer_expression" and operator(node) == "*":
        return pointed(field(node, "argument"), variables, values)
    return None


def _in_rows(variable: Variable, subscripts: int) -> Place | None:
    """Return an element of the rows that a caller's array of pointers leads to; None for other pointers."""
    declared = _outlined(variable)
    plain = variable.parameter and not variable.reference and elements(variable) is None
    if not plain or declared.count("*") != subscripts or subscripts != 2 or "[" in declared:
        return None
    return Place(f"{variable.name}{ROWS}", None, (None,), None)


def _in_struct(
    array: Node, subscripts: list[Polynomial | None], variables: Variables, values: Values
) -> Place | None:
    """Return an element of an array that is a member, or all of its struct if no more is known."""
    whole = holder(array, variables, values) if _holds_arrays(array, values) else None
    name = path(array, variables)
    if whole is None or values.around.ranks.get(name) != len(subscripts):
        return whole
    return Place(name, None, tuple(subscripts), None, whole=whole)


def _has_one_subscript(node: Node) -> bool:
    """Tell whether no comma stands in brackets, of which C would take what is behind it."""
    listed = node.child_by_field_name("indices")
    return listed is None or len(listed.named_children) == 1


def _leads_to_pointers(variable: Variable, subscripts: int) -> bool:
    """Tell whether an array's elements are pointers that are followed, and may lead to the same memory."""
    if elements(variable) is not None:
        return subscripts > depth(variable)
    declared = _outlined(variable)
    stars, brackets = declared.count("*"), declared.count("[")
    return subscripts > 1 and (stars > 1 or (stars > 0 and variable.array) or subscripts > stars + brackets)


def _outlined(variable: Variable) -> str:
    """Return the declarator of a variable without what its lengths are computed by, products among that."""
    return _LENGTH.sub("[]", source(variable.shape))


def _holds_arrays(member: Node, values: Values) -> bool:
    """Tell whether a member is known to be an array in its struct, and no pointer that leads elsewhere."""
    name = element(member, values.variables)
    return any(item.startswith((f"{name}[", f"{name}._M_elems[")) for item in values.around.numbers)


def pointed(node: Node, variables: Variables, values: Values) -> Place | None:
    """Return the array that a pointer leads into, and the number of elements that it is ahead."""
    node = unparenthesized(node)
    if node.type == "identifier":
        return _named(node, variables, values)
    if node.type == "binary_expression" and operator(node) in ("+", "-"):
        left = pointed(field(node, "left"), variables, values)
        if left is None:
            return None
        moved = values.of(field(node, "right"))
        if left.offset is None or moved is None:
            return left.at(None)
        return left.at(add(left.offset, moved, 1 if operator(node) == "+" else -1))
    if node.type == "pointer_expression" and operator(node) == "&":
        inner = place_of(field(node, "argument"), variables, values)
        return inner if inner is not None and len(inner.subscripts) == 1 else None
    if node.type == "field_expression":
        base, held = values.pointer(node)
        return Place(base, None, (constant(0),), _size(held)) if base else None
    if node.type == "cast_expression":
        return _cast(node, variables, values)
    return None


def _named(node: Node, variables: Variables, values: Values) -> Place | None:
    variable = variables.of(node)
    if variable is None:
        return Place(source(node), None, (constant(0),), None)
    held = elements(variable)
    if held is not None:
        return Place(name_of(variable), variable, (constant(0),), _size(held))
    if not variable.pointer and not variable.array:
        return None
    if variable.pointer and variable.escapes:
        return None  # something else may lead it elsewhere
    if moves(variable) and exchanged(variable, variables):
        return Place(name_of(variable), variable, (constant(0),), _size(variable.type), exchanged=True)
    if variable.parameter or variable.array or _fresh(variable):
        start = None if moves(variable) else constant(0)
        return Place(name_of(variable), variable, (start,), _size(variable.type))
    if variable.initializer is None or variable.writes or variable.escapes:
        return None
    place = pointed(variable.initializer, variables, values)
    return None if place is not None and place.exchanged else place  # it may have led elsewhere then


def _cast(node: Node, variables: Variables, values: Values) -> Place | None:
    """Return where a pointer leads that is taken for one of another type: counted in the new elements."""
    inner = pointed(field(node, "value"), variables, values)
    size = _size(source(field(node, "type")).replace("*", ""))
    if inner is None or (inner.unit is not None and inner.unit == size):
        return inner
    if inner.offset is None or inner.unit is None or size is None:
        return replace(inner.at(None), unit=None)
    return replace(inner.at(_rescaled(inner.offset, inner.unit, size, values.varying)), unit=size)


def _rescaled(offset: Polynomial, old: int, new: int, varying: frozenset[str]) -> Polynomial | None:
    """Return an offset in elements of another size; rows of bytes are taken to hold whole elements."""
    result: Polynomial = {}
    for monomial, number in multiply(offset, constant(old)).items():
        pitch = next((item for item in monomial if item not in varying), None)
        if number % new == 0:
            result = add(result, {monomial: number // new})
        elif pitch is not None:
            rest = list(monomial)
            rest[rest.index(pitch)] = f"{pitch}/{new}"
            result = add(result, {tuple(sorted(rest)): number})
        else:
            return None
    return result


def _size(spelling: str) -> int | None:
    kind = arithmetic(spelling)
    return None if kind is None else kind.size


def _fresh(variable: Variable) -> bool:
    """Tell whether a pointer was given memory of its own."""
    made = variable.initializer
    while made is not None and made.type in ("cast_expression", "parenthesized_expression"):
        made = field(made, "value") if made.type == "cast_expression" else unparenthesized(made)
    return made is not None and made.type == "call_expression" and called(made) in ("malloc", "calloc")


def holder(member: Node, variables: Variables, values: Values) -> Place | None:
    """Return the struct that a member is one of."""
    into = pointed if operator(member) == "->" else place_of
    return into(field(member, "argument"), variables, values)


def name_of(variable: Variable) -> str:
    """Return what an array is called that a variable leads to; those of one name differ by where they are."""
    return variable.name if variable.parameter else f"{variable.name}@{variable.declaration.start_byte}"
