"""Which variables and expressions are worth the same to every thread that meets at a barrier.

Only syntax counts: a value is uniform if it is computed from arguments, from the place of the block, from
other uniform values, or loaded from a uniform address (where the source does not race, every thread that
loads it between two barriers finds the same).
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from transpile.code.polynomial import launch_name
from transpile.code.syntax import ancestors, field, inside, outside_lambdas, source, walk
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.effects import effectful, is_pure_call

NAMING = frozenset({"using_declaration", "alias_declaration", "type_definition", "static_assert_declaration"})
"""Statements that do nothing at run time; what they name is known to all that follows."""


class Uniformity:
    """The uniform variables of a list of statements that threads run together."""

    def __init__(
        self,
        statements: list[Node],
        variables: Variables,
        synchronizes: Callable[[Node], bool],
        already: frozenset[int] = frozenset(),
        decide: Callable[[Node, Uniformity], bool | None] = lambda _node, _self: None,
        excluded: frozenset[int] = frozenset(),
    ) -> None:
        """Find the largest set of variables of which nothing contradicts that they are uniform.

        ``already`` holds ids of variables known to be uniform, ``excluded`` of those that are not to be
        considered. ``decide`` judges single expressions: True where one is uniform, False where not, None
        where its parts decide; it is given this object, of which it may ask about others.
        """
        self.variables = variables
        self.synchronizes = synchronizes
        self.decide = decide
        self.inner = frozenset(
            id(v)
            for v in variables.all
            if id(v) not in excluded
            and not v.parameter
            and not v.shared
            and not v.array
            and not v.escapes
            and any(inside(v.declaration, s) for s in statements)
        )
        self.known = already | self.inner
        while True:
            wrong = self._contradicted(statements)
            if not wrong:
                break
            self.known -= wrong

    def holds(self, variable: Variable) -> bool:
        """Tell whether a variable is uniform."""
        return id(variable) in self.known

    def expression(self, node: Node) -> bool:
        """Tell whether an expression is uniform."""
        decided = self.decide(node, self)
        if decided is not None:
            return decided
        launch = launch_name(node)
        if launch is not None:
            return not launch.startswith("threadIdx")
        if node.type == "identifier":
            variable = self.variables.of(node)
            if variable is None or variable.shared:
                return True
            return variable.constant if variable.parameter else id(variable) in self.known
        if node.type in ("assignment_expression", "update_expression", "lambda_expression"):
            return False
        if node.type == "call_expression":
            return is_pure_call(node, self.variables) and all(
                self.expression(c) for c in node.named_children[1:]
            )
        if node.type in ("field_expression", "type_descriptor", "template_argument_list"):
            return node.type != "field_expression" or self.expression(field(node, "argument"))
        return all(self.expression(child) for child in node.named_children)

    def once(self, statement: Node) -> bool:
        """Tell whether a statement does nothing but give uniform variables uniform values."""
        if statement.type in NAMING:
            return True
        if self.synchronizes(statement) or any(True for _ in effectful(statement, self.variables)):
            return False
        if any(
            True
            for _ in outside_lambdas(statement, "return_statement", "break_statement", "continue_statement")
        ):
            return False
        if statement.type == "declaration":
            declared = [v for v in self.variables.all if v.declaration.id == statement.id]
            return bool(declared) and all(
                id(v) in self.known and (v.initializer is None or self.expression(v.initializer))
                for v in declared
            )
        return self._only_uniform_writes(statement)

    def _only_uniform_writes(self, statement: Node) -> bool:
        written = [v for v in self.variables.all if any(inside(w, statement) for w in v.writes)]
        declared = [v for v in self.variables.all if inside(v.declaration, statement)]
        if not written or not all(id(v) in self.known for v in (*written, *declared)):
            return False
        return all(self._leaf(node) for node in _expressions(statement))

    def _leaf(self, node: Node) -> bool:
        if node.type == "assignment_expression":
            return self.expression(field(node, "right")) and self.expression(field(node, "left"))
        if node.type == "update_expression":
            return self.expression(field(node, "argument"))
        return self.expression(node)

    def _contradicted(self, statements: list[Node]) -> frozenset[int]:
        """Return the variables that some definition shows to differ between threads."""
        wrong: set[int] = set()
        for variable in self.variables.all:
            if id(variable) not in self.inner or id(variable) not in self.known:
                continue
            places = [variable.declaration] if variable.initializer is not None else []
            if any(not self._uniform_definition(place, variable) for place in (*places, *variable.writes)):
                wrong.add(id(variable))
        return frozenset(wrong)

    def _uniform_definition(self, place: Node, variable: Variable) -> bool:
        if place.type == "declaration":
            if variable.initializer is not None and not self.expression(variable.initializer):
                return False
        elif not self._leaf(place):
            return False
        return self._together(place)

    def _together(self, place: Node) -> bool:
        """Tell whether all threads run the statement of a definition together."""
        chain = [place, *ancestors(place)]
        for index, node in enumerate(chain):
            if node.type in ("function_definition", "lambda_expression"):
                return node.type == "function_definition"
            if node.type.endswith("_statement") and self.synchronizes(node):
                if not self._uniform_control(node, chain[index - 1]):
                    return False
            elif (node.type.endswith("_statement") and node.type != "compound_statement") or (
                node.type == "declaration" and node.id == place.id
            ):
                if _is_control_of(node) or self.synchronizes(node):
                    continue
                if not self.once(node):
                    return False
        return True

    def _uniform_control(self, node: Node, below: Node) -> bool:
        clause = node.child_by_field_name("condition")
        if clause is None or node.type == "compound_statement":
            return True
        return below.id == clause.id or self.expression(clause)


def _is_control_of(node: Node) -> bool:
    """Tell whether a declaration is the head of a loop rather than a statement of its own."""
    return node.type == "declaration" and node.parent is not None and node.parent.type == "for_statement"


def _expressions(statement: Node) -> list[Node]:
    """Return the outermost expressions of a statement."""
    found: list[Node] = []
    stack = [statement]
    while stack:
        node = stack.pop()
        if node.type.endswith(("_expression", "_literal")) or node.type == "identifier":
            found.append(node)
            continue
        if node.type == "init_declarator":
            found.append(field(node, "value"))
            continue
        if node.type in ("declaration", "condition_clause") or node.type.endswith(("_statement", "_clause")):
            stack.extend(node.named_children)
    return found


def loads(node: Node) -> bool:
    """Tell whether an expression reads memory."""
    for item in walk(node):
        if item.type == "subscript_expression" or (
            item.type == "pointer_expression" and source(item).startswith("*")
        ):
            parent = item.parent
            if parent is None or parent.type != "pointer_expression" or not source(parent).startswith("&"):
                return True
        if item.type == "field_expression" and "->" in source(item):
            return True
    return False
