"""Host statements between parallel loops that access arrays: they become the work of one thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from transpile.code.syntax import LOOPS, STATEMENTS, ancestors, find, inside
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.plan import SequentialNest
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.dependence.accesses import accesses
from transpile.translators.loops.iteration.nests import counted
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.planning.facts import Part
from transpile.translators.refusal import Refused
from transpile.translators.targets.cuda.elements import leads_to_element, names_array, read_by_host

REASON = "this stands between parallel loops"
_WHOLE = ("expression_statement", "compound_statement", "if_statement", *LOOPS)
"""Statements of which all may be done elsewhere."""
_PARTS = ("else_clause", "case_statement")
"""Syntax in a statement that holds statements, and is none itself."""
_LEAVING = ("return_statement", "break_statement", "continue_statement")
_CAUGHT = {"break_statement": (*LOOPS, "switch_statement"), "continue_statement": tuple(LOOPS)}


def remainders(
    statements: Iterable[Node], parts: Sequence[Part], setting: Setting, variables: Variables
) -> Iterator[SequentialNest]:
    """Yield the largest statements of the host that touch arrays, as far as they can be done elsewhere.

    Args:
        statements: Where to look.
        parts: What becomes kernels anyway.
        setting: What the function is, and its own names.
        variables: Its own, and those at file scope that kernels may be given.
    """
    for statement in statements:
        if any(inside(statement, part.node) for part in parts):
            continue
        if not any(inside(part.node, statement) for part in parts):
            if not _is_for_device(statement, setting, variables):
                continue
            if (nest := _understood(statement, setting, variables)) is not None:
                yield SequentialNest(nest, REASON)
                continue
        yield from remainders(_statements_in(statement), parts, setting, variables)


def _statements_in(node: Node) -> Iterator[Node]:
    """Yield the outermost statements in one that another may take the place of."""
    head = node.child_by_field_name("initializer")
    for child in node.named_children:
        if child.type in _PARTS:
            yield from _statements_in(child)
        elif child.type in STATEMENTS and child != head:
            yield child


def _is_for_device(statement: Node, setting: Setting, variables: Variables) -> bool:
    """Tell whether a statement does more to arrays than the host does itself, or again and again."""
    names = [node for node in find(statement, "identifier") if names_array(node, variables)]
    if any(find(statement, *LOOPS)):
        return bool(names)
    return any(read_by_host(node, variables, setting.around) is None for node in names)


def _understood(statement: Node, setting: Setting, variables: Variables) -> Nest | None:
    """Return a statement with all that it touches; None where something is not understood, or it leaves."""
    if statement.type not in _WHOLE or any(_leaves(jump, statement) for jump in find(statement, *_LEAVING)):
        return None
    for name in find(statement, "identifier"):
        if names_array(name, variables) and not leads_to_element(name):
            return None
    loops = [
        loop
        for node in find(statement, "for_statement")
        if (loop := counted(node, setting.variables, setting.around)) is not None
    ]
    values = Values(statement, loops, setting.variables, setting.around)
    try:
        found = accesses(statement, setting.variables, values, setting.around)
    except Refused:
        return None
    return Nest(statement, (), tuple(found))


def _leaves(jump: Node, statement: Node) -> bool:
    """Tell whether a jump goes out of a statement."""
    caught = (item for item in ancestors(jump) if item.type in _CAUGHT.get(jump.type, ()))
    around = next(caught, None)
    return around is None or not inside(around, statement)
