"""Coverage of arrays by accesses: every element, or as many as data decide."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, add, constant, multiply, name
from transpile.code.syntax import ancestors, find, inside, operator, source
from transpile.code.variables import Variables
from transpile.expressions import ExpressionError, parse
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.symbols.extents import polynomial

_BRANCHES = ("if_statement", "switch_statement", "conditional_expression", "while_statement", "do_statement")
_JUMPS = ("continue_statement", "break_statement", "return_statement", "goto_statement")


def covers(access: Access, band: Band, extent: str, variables: Variables) -> bool:
    """Tell whether an access of a band goes to all elements of an array of that length, one by one."""
    if len(access.subscripts) != 1 or access.subscripts[0] is None or _depends(access.node, band.node):
        return False
    around = [item for item in ancestors(access.node) if item.type == "for_statement"]
    left = [item for item in around if inside(item, band.node)]
    loops = [known.loop for known in band.nest.loops if any(known.loop.node.id == one.id for one in left)]
    return len(loops) == len(left) and _runs_through(access.subscripts[0], loops, extent, variables)


def _runs_through(subscript: Polynomial, loops: list[Loop], extent: str, variables: Variables) -> bool:
    """Tell whether loops are the digits of a subscript, of which each goes on where the one before ends."""
    stride = constant(1)
    rest, left = subscript, list(loops)
    while left:
        digit = next((loop for loop in left if _factor(subscript, loop) == stride), None)
        count = _count(digit, variables) if digit is not None else None
        if digit is None or count is None:
            return False
        left.remove(digit)
        rest = add(rest, multiply(stride, name(digit.dimension)), -1)
        stride = multiply(stride, count)
    return not rest and stride == polynomial(parse(extent))


def _factor(subscript: Polynomial, loop: Loop) -> Polynomial:
    """Return what a loop's dimension is multiplied by."""
    return {
        tuple(item for item in monomial if item != loop.dimension): number
        for monomial, number in subscript.items()
        if monomial.count(loop.dimension) == 1
    }


def _count(loop: Loop, variables: Variables) -> Polynomial | None:
    """Return how often a loop runs that counts up from 0; None of others, and where its bound may change."""
    if loop.step != 1 or loop.inclusive or source(loop.first) != "0":
        return None
    for item in find(loop.bound, "identifier"):
        variable = variables.of(item)
        if variable is None or not variable.parameter or not variable.constant:
            return None
    try:
        return polynomial(parse(source(loop.bound)))
    except ExpressionError:
        return None


def _depends(node: Node, outer: Node) -> bool:
    """Tell whether something is done in some iterations alone."""
    if next(find(outer, *_JUMPS), None) is not None:
        return True
    return any(
        item.type in _BRANCHES or (item.type == "binary_expression" and operator(item) in ("&&", "||"))
        for item in ancestors(node)
        if inside(item, outer)
    )
