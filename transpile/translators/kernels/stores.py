"""Stores that several iterations may make to one place, with the same value as the source's threads did."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import (
    Function,
    ancestors,
    field,
    find,
    inside,
    operator,
    source,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import writes_memory
from transpile.translators.kernels.own_lines import in_place_of, on_own_line
from transpile.translators.kernels.types import RANKS, Types

ATOMIC = "#pragma omp atomic write"
_INDEX = "(index)"


def common_stores(draft: Draft) -> Draft:
    """Make stores atomic whose address does not depend on the iteration, or only through what is loaded."""
    if not (draft.placed and draft.parallel):
        return draft
    function = draft.function
    variables = draft.variables(function)
    types = Types(variables, draft.surroundings)
    addresses = _Addresses(function, variables)
    statements = []
    for node in find(function.body, "assignment_expression"):
        if operator(node) != "=" or not writes_memory(node, variables) or not addresses.in_loop(node):
            continue
        statement = node.parent
        if statement is None or statement.type != "expression_statement" or _marked(statement):
            continue
        if types.of(field(node, "left")) not in RANKS:
            continue
        origins = addresses.origins(field(node, "left"), target=True)
        if _INDEX not in origins and not origins & draft.distinct:
            statements.append(statement)
    opened = on_own_line(function, *statements)
    if opened != function.text:
        return common_stores(draft.with_text(opened))
    edits = [in_place_of(function, item, [ATOMIC, source(item)]) for item in statements]
    return draft.after("common-stores", function.edited(edits))


def _marked(statement: Node) -> bool:
    """Tell whether a statement is, or is part of, an atomic construct."""
    for node in (statement, *ancestors(statement)):
        before = node.prev_sibling
        if before is not None and before.type == "preproc_call" and "omp atomic" in source(before):
            return True
    return False


@dataclass(slots=True)
class _Addresses:
    """Where the addresses of a function come from."""

    function: Function
    variables: Variables

    def loops(self) -> list[Node]:
        """Return the loops that run in parallel, those collapsed with them included."""
        found: list[Node] = []
        for loop in find(self.function.body, "for_statement"):
            before = loop.prev_sibling
            directive = source(before) if before is not None and before.type == "preproc_call" else ""
            around = loop.parent is not None and any(loop.parent.id == outer.id for outer in found)
            if "omp parallel for" in directive or around:
                found.append(loop)
        return found

    def in_loop(self, node: Node) -> bool:
        """Tell whether a node lies in a parallel loop."""
        return any(inside(node, loop) for loop in self.loops())

    def origins(
        self, node: Node, *, target: bool = False, seen: frozenset[int] = frozenset()
    ) -> frozenset[str]:
        """Return what an expression depends on: the iteration, and the arrays that it loads from."""
        if node.type == "subscript_expression" and not target:
            return frozenset({_base(node)})
        if node.type == "pointer_expression" and source(node).startswith("*") and not target:
            return frozenset({_base(node)})
        if node.type == "identifier":
            return self._of_variable(self.variables.of(node), seen)
        found: frozenset[str] = frozenset()
        for child in node.named_children:
            found |= self.origins(child, seen=seen)
        return found

    def _of_variable(self, variable: Variable | None, seen: frozenset[int]) -> frozenset[str]:
        if variable is None or variable.parameter or id(variable) in seen:
            return frozenset()
        home = next((a for a in ancestors(variable.declaration) if a.type == "for_statement"), None)
        heads = {loop.id for loop in self.loops()}
        if home is not None and home.id in heads and inside(variable.declaration, _head(home)):
            return frozenset({_INDEX})
        known = seen | {id(variable)}
        sources = [variable.initializer] if variable.initializer is not None else []
        sources += [field(w, "right") for w in variable.writes if w.type == "assignment_expression"]
        return frozenset[str]().union(*(self.origins(item, seen=known) for item in sources))


def _head(loop: Node) -> Node:
    start = loop.child_by_field_name("initializer")
    return start if start is not None else loop


def _base(node: Node) -> str:
    for item in find(node, "identifier"):
        return source(item)
    return ""
