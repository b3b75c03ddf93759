"""Counted loops: a variable that goes from one value to another in equal steps."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.polynomial import number
from transpile.code.syntax import (
    LOOPS,
    MIRRORED,
    ancestors,
    called,
    condition,
    field,
    find,
    inside,
    operator,
    replace,
    source,
    unparenthesized,
)
from transpile.code.types import LENGTH, bare
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.symbols.containers import elements, measured, stays
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.index_arrays import base_of
from transpile.translators.loops.symbols.members import beside
from transpile.translators.loops.symbols.types import gains_sign, is_whole, signed, turns_unsigned, type_of

SIGNED = frozenset(("int", "long", "longlong"))
"""Types of loops' variables that may be less than zero, by their ``bare`` names."""
_JUMPS = ("break_statement", "return_statement", "goto_statement", "labeled_statement")


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A ``for`` whose trip count is known when it begins."""

    node: Node
    variable: Variable
    first: Node
    bound: Node
    inclusive: bool
    step: int
    """Negative where it counts down."""
    converted: bool = False
    """It begins with a difference of unsigned numbers, and the variable has a sign: it may be below zero."""

    @property
    def body(self) -> Node:
        """Return the statement that is repeated."""
        return field(self.node, "body")

    @property
    def own_variable(self) -> bool:
        """Tell whether the variable lives in the loop alone."""
        return inside(self.variable.declaration, self.node)

    @property
    def dimension(self) -> str:
        """Return the name of the loop's dimension: no identifier of the text."""
        return f"{self.variable.name}@{self.node.start_byte}"


def counted(
    node: Node, variables: Variables, around: EnclosingScope, kept: Collection[str] = ()
) -> Loop | None:
    """Return a ``for`` statement as a counted loop; None where it is another one.

    Args:
        node: The statement.
        variables: Those of its function.
        around: What names stand for.
        kept: What accesses call arrays whose elements keep their values while it runs, and may bound it.
    """
    if node.type != "for_statement" or any(node.child_by_field_name(part) is None for part in _PARTS):
        return None
    started = begun(field(node, "initializer"), variables)
    step = moved(field(node, "update"), variables)
    if started is None or step is None or step[0] is not started[0]:
        return None
    variable, first = started
    end = _end(condition(node), variable, step[1], variables)
    if end is None or variable.escapes or variable.static:
        return None
    if step[1] < 0 and end[1] and _is_least(end[0], variable):
        return None
    if _drops_sign(variable, first, variables, around) and not is_natural(first, variables):
        return None  # what is less than zero becomes a large number
    if _loses_sign(variable, end[0], variables) and not is_natural(first, variables):
        return None
    if _gains_sign(variable, end[0], variables, around) and not is_natural(end[0], variables):
        return None  # compilers of OpenMP turn the bound into the variable's type
    body = field(node, "body")
    if any(inside(write, body) for write in variable.writes) or not steady(
        end[0], node, variables, around, kept
    ):
        return None
    converted = _loses_sign(variable, first, variables) and _subtracts(first)
    return Loop(node, variable, first, end[0], end[1], step[1], converted)


def _subtracts(node: Node) -> bool:
    return any(operator(part) == "-" for part in find(node, "binary_expression"))


def _is_least(bound: Node, variable: Variable) -> bool:
    """Tell whether a bound is the least number of a variable's type, so that no loop ends below it."""
    return number(source(bound)) == {} and _is_unsigned(variable)


def _is_unsigned(variable: Variable) -> bool:
    kind = variable.bare
    return is_whole(kind) and not signed(kind)


def _drops_sign(variable: Variable, first: Node, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether a variable without a sign begins with what may have one."""
    return _is_unsigned(variable) and any(map(signed, _types(first, variables, around)))


def _loses_sign(variable: Variable, bound: Node, variables: Variables) -> bool:
    """Tell whether a variable is compared as an unsigned number: less than zero, it is beyond every bound."""
    types = [item.bare for item in variables.used_in(bound) if elements(item) is None]
    types += [LENGTH for call in find(bound, "call_expression") if measured(call, variables) is not None]
    types += [bare(source(node)) for node in find(bound, "type_descriptor")]
    types += ["unsigned" for node in find(bound, "number_literal") if source(node)[-1] in "uU"]
    return any(turns_unsigned(variable.bare, item) for item in types)


def _gains_sign(variable: Variable, bound: Node, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether a variable without a sign is beyond a bound that is less than zero."""
    return any(gains_sign(variable.bare, item) for item in _types(bound, variables, around))


def _types(node: Node, variables: Variables, around: EnclosingScope) -> Iterator[str]:
    """Yield the types of what an expression names."""
    for place in find(node, "identifier", "field_expression", "subscript_expression", "type_descriptor"):
        cast = place.type == "type_descriptor"
        yield bare(source(place)) if cast else type_of(place, variables, around)


def is_natural(node: Node, variables: Variables) -> bool:
    """Tell whether an expression is not less than zero: of numbers, and of loops that count up from such."""
    node = unparenthesized(node)
    if node.type == "binary_expression" and operator(node) in ("+", "*"):
        return all(is_natural(field(node, side), variables) for side in ("left", "right"))
    if node.type == "call_expression":
        return measured(node, variables) is not None
    variable = variables.of(node) if node.type == "identifier" else None
    if variable is None:
        return node.type == "number_literal" and source(node)[0] != "-"
    for loop in ancestors(node):
        start, move = (loop.child_by_field_name(part) for part in ("initializer", "update"))
        given = begun(start, variables) if loop.type == "for_statement" and start is not None else None
        step = moved(move, variables) if given is not None and move is not None else None
        if given is not None and given[0] is variable and not inside(node, given[1]):
            up = step is not None and step[0] is variable and step[1] > 0
            up = up and not any(inside(write, field(loop, "body")) for write in variable.writes)
            return up and is_natural(given[1], variables)
    return False


_MEMORY = ("subscript_expression", "pointer_expression", "field_expression")
_PARTS = ("initializer", "condition", "update", "body")


def leaves_early(loop: Loop) -> bool:
    """Tell whether an iteration may end the loop, or control may enter one from outside."""
    return any(True for _ in early_exits(loop))


def early_exits(loop: Loop) -> Iterator[Node]:
    """Yield the jumps that may end a loop in an iteration, and the labels at which control may enter one."""
    for jump in find(loop.body, *_JUMPS):
        if jump.type != "break_statement" or _target(jump).id == loop.node.id:
            yield jump


def ended(loop: Loop, statement: str) -> Iterator[Edit[str]]:
    """Yield what ends an iteration as another statement: an iteration became a function."""
    for node in find(loop.body, "continue_statement"):
        if next(parent for parent in ancestors(node) if parent.type in LOOPS).id == loop.node.id:
            yield replace(node, statement)


def enclosing(node: Node, within: Node) -> Iterator[Node]:
    """Yield the loops around a node that lie within another one, innermost first; the latter may be one."""
    for parent in ancestors(node):
        if not inside(parent, within):
            return
        if parent.type in LOOPS:
            yield parent


def _target(jump: Node) -> Node:
    return next(
        parent for parent in ancestors(jump) if parent.type in LOOPS or parent.type == "switch_statement"
    )


def begun(node: Node, variables: Variables) -> tuple[Variable, Node] | None:
    """Return the variable that an initializer sets, and to what."""
    if node.type == "declaration":
        declared = [item for item in variables.all if item.declaration.id == node.id]
        if len(declared) != 1 or declared[0].initializer is None:
            return None
        return declared[0], declared[0].initializer
    if node.type == "expression_statement":
        node = node.named_children[0]
    if node.type != "assignment_expression" or operator(node) != "=":
        return None
    variable = variables.of(field(node, "left"))
    return None if variable is None else (variable, field(node, "right"))


def moved(node: Node, variables: Variables) -> tuple[Variable, int] | None:
    """Return the variable that an update moves, and by how much."""
    node = unparenthesized(node)
    if node.type == "update_expression":
        variable = variables.of(field(node, "argument"))
        return None if variable is None else (variable, 1 if operator(node) == "++" else -1)
    if node.type != "assignment_expression":
        return None
    variable = variables.of(field(node, "left"))
    amount = _amount(node, variable, variables)
    return None if variable is None or not amount else (variable, amount)


def _amount(node: Node, variable: Variable | None, variables: Variables) -> int | None:
    right, sign = unparenthesized(field(node, "right")), operator(node).removesuffix("=")
    if not sign and right.type == "binary_expression":
        sign = operator(right)
        left, added = field(right, "left"), field(right, "right")
        if sign == "+" and variables.of(added) is variable:
            left, added = added, left
        if variables.of(left) is not variable:
            return None
        right = added
    value = number(source(right)) if sign in ("+", "-") else None
    if value is None or value.get((), 0) <= 0:
        return None
    return value[()] if sign == "+" else -value[()]


def _end(test: Node, variable: Variable, step: int, variables: Variables) -> tuple[Node, bool] | None:
    """Return what a loop goes up or down to, and whether that is its last value."""
    if test.type != "binary_expression":
        return None
    left, right, sign = unparenthesized(field(test, "left")), field(test, "right"), operator(test)
    if variables.of(unparenthesized(right)) is variable and sign in MIRRORED:
        left, right, sign = unparenthesized(right), left, MIRRORED[sign]
    if variables.of(left) is not variable:
        return None
    if sign == "!=" and abs(step) == 1:
        return right, False
    fitting = ("<", "<=") if step > 0 else (">", ">=")
    return (right, sign == fitting[1]) if sign in fitting else None


def steady(
    bound: Node, loop: Node, variables: Variables, around: EnclosingScope, kept: Collection[str] = ()
) -> bool:
    """Tell whether an expression keeps its value while the loop runs, as far as its own names tell."""
    if any(True for _ in find(bound, "assignment_expression", "update_expression")):
        return False
    calls = list(find(bound, "call_expression"))
    lengths = [call for call in calls if measured(call, variables) is not None]
    if any(not around.calls(called(call)) for call in calls if call not in lengths):
        return False
    allowed = {field(call, "function").id for call in lengths}
    allowed |= {
        node.id
        for node in find(bound, "subscript_expression")
        if base_of(unparenthesized(field(node, "argument")), variables) in kept
    }
    settled = [node for node in find(bound, "subscript_expression") if around.element(source(node))]
    allowed |= {node.id for node in settled}
    if any(node.id not in allowed for node in beside(bound, variables, around, *_MEMORY)):
        return False  # what the loop writes may be this
    written = written_names(loop, variables)
    named = [name for name in find(bound, "identifier") if not any(inside(name, node) for node in settled)]
    return all(_fixed(name, loop, variables, around, written) for name in named)


def written_names(node: Node, variables: Variables) -> frozenset[str]:
    """Return the names of the variables that a node writes."""
    return frozenset(item.name for item in variables.all if any(inside(write, node) for write in item.writes))


def _fixed(
    name: Node, loop: Node, variables: Variables, around: EnclosingScope, written: frozenset[str]
) -> bool:
    variable = variables.of(name)
    if variable is None:
        return around.fixed(source(name), written)
    if elements(variable) is not None and not stays(variable, loop):
        return False
    return not variable.escapes and not any(inside(write, loop) for write in variable.writes)
