"""The tree of loops that isl builds."""

from __future__ import annotations

from collections.abc import Iterator

import islpy

from transpile.translators.loops.schedule.model import Model, Statement


def parallel(depth: int) -> str:
    """Return the mark above a parallel loop, so many members of bands around it."""
    return f"c{depth}"


def runs_at_once(mark: islpy.AstNode) -> bool:
    """Tell whether the loop that a mark means is below it: isl drops those of one iteration."""
    below = mark.mark_get_node()
    return kind(below) == "for" and iterator_of(below) == mark.mark_get_id().get_name()


def kind(node: islpy.AstNode | islpy.AstExpr | islpy.ScheduleNode) -> str:
    """Return what a node is, in isl's words, such as ``for`` and ``band``."""
    return _word(node.get_type())


def operation(value: islpy.AstExpr) -> str:
    """Return what an expression does with its operands, such as ``add`` and ``min``."""
    return _word(value.get_op_type())


def _word(member: object) -> str:
    return str(member).rpartition(".")[2].rstrip("_")


def children(node: islpy.AstNode) -> list[islpy.AstNode]:
    """Return the nodes directly below one, in order."""
    match kind(node):
        case "block":
            found = node.block_get_children()
            return [found.get_at(at) for at in range(found.n_ast_node())]
        case "mark":
            return [node.mark_get_node()]
        case "for":
            return [node.for_get_body()]
        case "if":
            other = [node.if_get_else_node()] if node.if_has_else_node() else []
            return [node.if_get_then_node(), *other]
        case _:
            return []


def iterator_of(loop: islpy.AstNode) -> str:
    """Return isl's name for the variable of a loop."""
    return str(loop.for_get_iterator().get_id().get_name())


def calls(
    node: islpy.AstNode, around: tuple[str, ...] = ()
) -> Iterator[tuple[islpy.AstExpr, tuple[str, ...]]]:
    """Yield every statement's call, with the variables of the loops around it."""
    if kind(node) == "user":
        yield node.user_get_expr(), around
    if kind(node) == "for":
        around = (*around, iterator_of(node))
    for child in children(node):
        yield from calls(child, around)


def called(call: islpy.AstExpr, model: Model) -> Statement:
    """Return the statement that a call stands for."""
    name = call.get_op_arg(0).get_id().get_name()
    return next(item for item in model.statements if item.name == name)


def identifiers(value: islpy.AstExpr) -> Iterator[str]:
    """Yield the names in an expression."""
    if kind(value) == "id":
        yield value.get_id().get_name()
    elif kind(value) == "op":
        for at in range(value.get_op_n_arg()):
            yield from identifiers(value.get_op_arg(at))


def marked(node: islpy.AstNode) -> bool:
    """Tell whether anything below a node runs in parallel."""
    return (kind(node) == "mark" and runs_at_once(node)) or any(map(marked, children(node)))


def readable(node: islpy.AstNode) -> bool:
    """Tell whether no condition stands in the loops: with some, a person would write others."""
    return kind(node) != "if" and all(map(readable, children(node)))
