"""Statements that need no loop over threads of their own: thread 0 alone, or all threads sharing out a range."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from transpile.translators.rules.coordinates import THREADS, Coordinate, Reader, is_comparison, sides
from transpile.translators.rules.guards import parts
from transpile.translators.rules.pieces import Choose, Piece, Repeat, Scope, Threads, comments_above
from transpile.translators.rules.privates import written_from_outside
from transpile.translators.rules.storage import recomputable
from transpile.translators.rules.strides import Strided, strided_loops
from transpile.translators.rules.syntax import (
    alternative,
    condition,
    consequence,
    field,
    find,
    inside,
    operator,
    source,
    squeeze,
    unparenthesized,
)
from transpile.translators.rules.uniformity import Uniformity
from transpile.translators.rules.variables import Variable, Variables


@dataclass(slots=True)
class Peeler:
    """Finds such statements in the pieces of one kernel."""

    variables: Variables
    uniformity: Uniformity
    reader: Reader
    thread_axes: str
    kept: frozenset[int] = frozenset()
    """Ids of variables that live in an array anyway."""

    def peel(self, pieces: list[Piece]) -> list[Piece]:
        """Return the pieces with statements that stand apart in pieces of their own."""
        result: list[Piece] = []
        for piece in pieces:
            match piece:
                case Threads() if not piece.masks:
                    result += self._split(piece)
                case Repeat():
                    result.append(Repeat(piece.loop, self.peel(piece.pieces), piece.comments))
                case Scope():
                    result.append(Scope(piece.statement, self.peel(piece.pieces), piece.comments))
                case Choose():
                    then, otherwise = self.peel(piece.then), self.peel(piece.otherwise)
                    result.append(Choose(piece.statement, then, otherwise, piece.comments))
                case _:
                    result.append(piece)
        return result

    def _split(self, piece: Threads) -> list[Threads]:
        groups: list[list[Node]] = [[]]
        for statement in piece.statements:
            if statement.type != "comment" and self._apart(statement):
                comments = comments_above(groups[-1], statement)
                groups += [[*comments, statement], []]
            else:
                groups[-1].append(statement)
        kept = [g for g in groups if any(n.type != "comment" for n in g)]
        return [Threads(group, piece.masks, piece.around) for group in kept]

    def _apart(self, statement: Node) -> bool:
        """Tell whether a statement can stand in a piece of its own, and gains by it."""
        branch = self.alone(statement)
        if branch is not None:
            other = [
                v for v in self.variables.used_in(branch) if self.reader.formula(v) not in THREADS.values()
            ]
            if any(v.constant and not self.uniformity.holds(v) and self.of_thread(v) for v in other):
                return False
        gains = branch is not None or self.shared_out(statement) is not None
        return gains and not self._private(statement)

    def _private(self, statement: Node) -> bool:
        """Tell whether a statement uses a variable of the thread that cannot be computed again."""
        return any(
            not v.parameter
            and not v.shared
            and not self.uniformity.holds(v)
            and id(v) not in self.kept
            and not inside(v.declaration, statement)
            and not recomputable(v, self.variables, self.uniformity)
            for v in self.variables.used_in(statement)
        )

    def alone(self, statement: Node) -> Node | None:
        """Return the branch that only thread 0 of the block takes; None for other statements."""
        if statement.type != "if_statement" or alternative(statement) is not None:
            return None
        axes = ""
        for part in parts(condition(statement), ("&&",)):
            axis = self._is_zero(unparenthesized(part))
            if axis is None:
                return None
            axes += axis
        if set(axes) != set(self.thread_axes):
            return None
        branch = consequence(statement)
        if any(True for _ in find(branch, "return_statement")):
            return None
        return branch

    def of_thread(self, variable: Variable) -> bool:
        """Tell whether the formula of a variable depends on the index of the thread."""
        value = variable.initializer
        if value is None or "threadIdx" in source(value):
            return value is not None
        return any(self.of_thread(used) for used in self.variables.used_in(value))

    def _is_zero(self, node: Node) -> str | None:
        """Return the axes of which a comparison says that the thread index is 0."""
        if node.type == "unary_expression" and operator(node) == "!":
            return self._axes_of(unparenthesized(field(node, "argument")))
        if node.type != "binary_expression" or operator(node) != "==":
            return None
        left, right = sides(node)
        if squeeze(source(left)) == "0":
            left, right = right, left
        return self._axes_of(left) if squeeze(source(right)) == "0" else None

    def _axes_of(self, node: Node) -> str | None:
        value = self.reader.read(node)
        if not value or any(number < 0 for number in value.values()):
            return None
        axes = ""
        for monomial in value:
            threads = [name for name in monomial if name.startswith("threadIdx")]
            others = [name for name in monomial if not name.startswith(("threadIdx", "blockDim"))]
            if len(threads) != 1 or others:
                return None
            axes += threads[0][-1]
        return axes

    def shared_out(self, statement: Node) -> Strided | None:
        """Return the loop that the threads of a block share out, where it carries nothing between turns."""
        if statement.type != "for_statement" or len(self.thread_axes) != 1:
            return None
        strided = next(iter(strided_loops(statement, self.reader, self.variables)), None)
        if strided is None or strided.loop.id != statement.id:
            return None
        if strided.coordinate != THREADS[self.thread_axes] or not inside(
            strided.variable.declaration, statement
        ):
            return None
        if written_from_outside(statement, self.variables):
            return None
        body = field(statement, "body")
        return None if self._mentions_threads(body) else strided

    def _mentions_threads(self, node: Node) -> bool:
        return any(
            c is None or c.label in ("thread", "global", "joint") for _, c in self.reader.largest(node)
        ) or any(
            any(name.startswith("threadIdx") for m in self.reader.formulas.get(id(v), {}) for name in m)
            for v in self.variables.used_in(node)
        )

    def first_threads(self, piece: Threads) -> tuple[Node, Node] | None:
        """Return the bound and the branch of an if that the first threads of a block take.

        Only where the bound is known not to exceed the number of threads: it is halved from it by a loop.
        """
        statements = [s for s in piece.statements if s.type != "comment"]
        if len(statements) != 1 or len(self.thread_axes) != 1 or piece.masks:
            return None
        statement = statements[0]
        if statement.type != "if_statement" or alternative(statement) is not None:
            return None
        test = condition(statement)
        if not is_comparison(test) or operator(test) != "<":
            return None
        left, right = sides(test)
        if self.reader.index(left) != THREADS[self.thread_axes] or right.type != "identifier":
            return None
        bound = self.variables.of(right)
        halved = bound is not None and any(self._halves(loop, bound) for loop in piece.around)
        return (right, consequence(statement)) if halved else None

    def _halves(self, loop: Node, variable: Variable) -> bool:
        """Tell whether a loop starts a variable below the number of threads and only ever halves it."""
        value, update = variable.initializer, loop.child_by_field_name("update")
        if value is None or update is None or len(variable.writes) != 1:
            return False
        if variable.writes[0].id != update.id or not inside(variable.declaration, loop):
            return False
        value = unparenthesized(value)
        if value.type != "binary_expression" or not _halving(operator(value), field(value, "right")):
            return False
        counted: Coordinate | None = self.reader.count(field(value, "left"))
        if counted != THREADS[self.thread_axes] or update.type != "assignment_expression":
            return False
        return _halving(operator(update).removesuffix("="), field(update, "right"))


def _halving(sign: str, amount: Node) -> bool:
    return (sign, squeeze(source(amount))) in (("/", "2"), (">>", "1"), ("/", "2u"), ("/", "2U"))
