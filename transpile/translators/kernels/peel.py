"""Statements that need no loop over threads: thread 0 works alone, or all threads share out a range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import (
    alternative,
    condition,
    consequence,
    field,
    inside,
    operator,
    outside_lambdas,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.coordinates import THREADS, Coordinate, Reader, is_comparison, sides
from transpile.translators.kernels.guards import parts
from transpile.translators.kernels.pieces import (
    Choose,
    Piece,
    Repeat,
    Scope,
    Threads,
    comments_above,
    members_of,
)
from transpile.translators.kernels.privates import written_from_outside
from transpile.translators.kernels.storage import recomputable
from transpile.translators.kernels.strides import Strided, strided_loops
from transpile.translators.kernels.uniformity import Uniformity


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
        strided = self.shared_out(statement)
        if branch is None and strided is None:
            return False
        return not self._private(statement, strided.variable if strided is not None else None)

    def _private(self, statement: Node, counter: Variable | None) -> bool:
        """Tell whether a statement uses a variable of the thread that cannot be computed again."""
        return any(
            not v.parameter
            and not v.shared
            and not self.uniformity.holds(v)
            and v is not counter
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
        if any(True for _ in outside_lambdas(branch, "return_statement")):
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
        if statement.type not in ("for_statement", "while_statement") or len(self.thread_axes) != 1:
            return None
        strided = next(iter(strided_loops(statement, self.reader, self.variables)), None)
        if strided is None or strided.loop.id != statement.id:
            return None
        if strided.coordinate != THREADS[self.thread_axes]:
            return None
        if any(v is not strided.variable for v in written_from_outside(statement, self.variables)):
            return None
        return None if self._mentions_threads(field(statement, "body"), strided.step) else strided

    def counters(self, pieces: Sequence[Piece]) -> Iterator[int]:
        """Yield the declarations of variables that only count in loops which stand apart."""
        for piece in members_of(pieces):
            statements = (
                [s for s in piece.statements if s.type != "comment"] if isinstance(piece, Threads) else []
            )
            strided = self.shared_out(statements[0]) if len(statements) == 1 else None
            if strided is not None and not inside(strided.variable.declaration, strided.loop):
                yield strided.variable.declaration.id

    def _mentions_threads(self, node: Node, step: Node) -> bool:
        mentions = [c for found, c in self.reader.largest(node) if not inside(found, step)]
        return any(c is None or c.label in ("thread", "global", "joint") for c in mentions) or any(
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
        halved = bound is not None and self._halved(bound)
        return (right, consequence(statement)) if halved else None

    def _halved(self, variable: Variable) -> bool:
        """Tell whether a variable starts below the number of threads and is only ever halved."""
        if variable.initializer is None or variable.escapes:
            return False
        value = unparenthesized(variable.initializer)
        if value.type != "binary_expression" or not _halving(operator(value), field(value, "right")):
            return False
        counted: Coordinate | None = self.reader.count(field(value, "left"))
        return counted == THREADS[self.thread_axes] and all(
            write.type == "assignment_expression"
            and _halving(operator(write).removesuffix("="), field(write, "right"))
            for write in variable.writes
        )


def _halving(sign: str, amount: Node) -> bool:
    return (sign, squeeze(source(amount))) in (("/", "2"), (">>", "1"), ("/", "2u"), ("/", "2U"))
