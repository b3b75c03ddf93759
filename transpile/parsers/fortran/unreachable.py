"""Lines of routines that no call runs, by the text: behind what never returns, under constant conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.symbols import Procedure, Scope
from transpile.parsers.fortran.walking import Node, walk

_TRUE = ("ieee_support_inf", "ieee_support_nan")
LAST = 1 << 30
"""The last line of a routine, as far as is known."""
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "/=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def unreachable(procedure: Procedure, program: Program) -> tuple[tuple[int, int], ...]:
    """Return ranges of lines, both ends included, that no call of a routine runs."""
    return tuple(_Reader(procedure, program).ranges(procedure.unit.body, LAST))


def constant_conditions(procedure: Procedure, program: Program) -> tuple[int, ...]:
    """Return the lines of conditions of a routine that always have the same value."""
    reader = _Reader(procedure, program)
    return tuple(
        condition.line
        for statement in procedure.unit.body
        for node in walk(statement)
        if isinstance(node, tree.If)
        for condition, _ in node.arms
        if condition is not None and reader.truth(condition) is not None
    )


def never_returns(procedure: Procedure) -> bool:
    """Tell whether a routine ends the program whenever it ends: its last statement does, and none jumps."""
    body = [item for item in procedure.unit.body if not isinstance(item, (tree.Comment, tree.Format))]
    jumps = (tree.Return, tree.Goto, tree.ArithmeticIf)
    if any(isinstance(node, jumps) for item in body for node in walk(item)):
        return False
    while body and isinstance(body[-1], (tree.Continue,)):
        body.pop()
    return bool(body) and isinstance(body[-1], tree.Stop)


class _Reader:
    """Finds what is dead in one routine."""

    def __init__(self, procedure: Procedure, program: Program) -> None:
        self.scope = procedure.scope
        self.program = program
        self.known = dict(_known(procedure))

    def ranges(self, statements: tuple[tree.Statement, ...], end: int) -> Iterator[tuple[int, int]]:
        """Yield dead ranges of statements, behind which the line `end` comes next."""
        real = [item for item in statements if not isinstance(item, (tree.Comment, tree.Format))]
        for at, statement in enumerate(real):
            following = real[at + 1].line if at + 1 < len(real) else end
            if self._ends(statement):
                labelled = next((item.line for item in real[at + 1 :] if _labelled(item)), end)
                if labelled > following:
                    yield following, labelled - 1
                elif end == LAST:
                    yield statement.line + 1, LAST
                if labelled == end:
                    return
            inner = following if following != LAST else _last_line(statement) + 1
            yield from self._within(statement, inner)

    def _ends(self, statement: tree.Statement) -> bool:
        if isinstance(statement, tree.Stop):
            return True
        if not isinstance(statement, tree.Call) or not isinstance(statement.routine, tree.Name):
            return False
        found = self.scope.find(statement.routine.name)
        if found is None or found.procedure is None:
            found = self.program.root.symbols.get(statement.routine.name)
        return found is not None and found.procedure is not None and never_returns(found.procedure)

    def _within(self, statement: tree.Statement, end: int) -> Iterator[tuple[int, int]]:
        match statement:
            case tree.If(arms=arms):
                yield from self._arms(arms, end)
            case tree.Do(body=body):
                yield from self.ranges(body, end)
            case _:
                pass

    def _arms(
        self, arms: tuple[tuple[tree.Expression | None, tuple[tree.Statement, ...]], ...], end: int
    ) -> Iterator[tuple[int, int]]:
        dead = False
        for at, (condition, body) in enumerate(arms):
            behind = self._begin(arms[at + 1], end) if at + 1 < len(arms) else end
            if dead:
                yield self._begin((condition, body), end), behind - 1
                continue
            value = None if condition is None else self.truth(condition)
            if value is False and body and not _labels(body):
                yield body[0].line, behind - 1
            else:
                yield from self.ranges(body, behind)
            rest = [item for _, inner in arms[at + 1 :] for item in inner]
            dead = value is True and not _labels(rest)

    def _begin(self, arm: tuple[tree.Expression | None, tuple[tree.Statement, ...]], end: int) -> int:
        condition, body = arm
        return condition.line if condition is not None else body[0].line if body else end

    def truth(self, condition: tree.Expression) -> bool | None:
        """Return the value that a condition always has; None where it may have either."""
        match condition:
            case tree.Parenthesized(inner=inner):
                return self.truth(inner)
            case tree.Binary(operator=operator, left=left, right=right) if operator in _COMPARISONS:
                first, second = self._number(left), self._number(right)
                known = first is not None and second is not None
                return _COMPARISONS[operator](first, second) if known else None  # type: ignore[arg-type]
            case tree.Binary(operator=".or.", left=left, right=right):
                values = self.truth(left), self.truth(right)
                return True if True in values else None if None in values else False
            case tree.Binary(operator=".and.", left=left, right=right):
                values = self.truth(left), self.truth(right)
                return False if False in values else None if None in values else True
            case tree.Unary(operator=".not.", operand=operand):
                value = self.truth(operand)
                return None if value is None else not value
            case tree.Apply(base=tree.Name(name=name)) if name in _TRUE:
                return True
            case _:
                return None

    def _number(self, expression: tree.Expression) -> int | None:
        if isinstance(expression, tree.Name) and expression.name in self.known:
            return self.known[expression.name]
        return fold(expression, self.scope)


def _last_line(statement: tree.Statement) -> int:
    return max(node.line for node in walk(statement) if isinstance(node, (tree.Statement, tree.Expression)))


def _labelled(statement: tree.Statement) -> bool:
    return bool(statement.label)


def _labels(statements: tuple[tree.Statement, ...] | list[tree.Statement]) -> bool:
    """Tell whether anything could be jumped to."""
    inner = (node for item in statements for node in walk(item))
    return any(isinstance(node, tree.Statement) and node.label for node in inner)


def _known(procedure: Procedure) -> Iterator[tuple[str, int]]:
    """Yield local variables that hold one number whenever they hold any: set once, and given to nobody."""
    unit = procedure.unit
    if unit.procedures:
        return
    values: dict[str, list[tree.Expression]] = {}
    for statement in unit.body:
        for node in walk(statement):
            if isinstance(node, tree.Assign) and isinstance(node.target, tree.Name):
                values.setdefault(node.target.name, []).append(node.value)
    given = {name for statement in unit.body for node in walk(statement) for name in _given(node)}
    for name, assigned in values.items():
        value = fold(assigned[0], procedure.scope) if len(assigned) == 1 else None
        if value is not None and name not in given and _local(name, procedure.scope):
            yield name, value


def _local(name: str, scope: Scope) -> bool:
    symbol = scope.find(name)
    if symbol is None or symbol.scope is not scope or symbol.role != "variable" or symbol.dummy:
        return False
    return not (
        symbol.common or symbol.rank or symbol.initial is not None or symbol.type.base != "integer"
    ) and not (scope.saved or scope.data or symbol.attributes)


def _given(node: Node) -> Iterator[str]:
    """Yield names whose variables something else than an assignment may change."""
    match node:
        case tree.Assign() | tree.If() | tree.Binary() | tree.Unary() | tree.Parenthesized() | tree.Name():
            return
        case tree.Loop(variable=variable):
            yield variable
        case _:
            yield from _names_at(node)


def _names_at(node: Node) -> Iterator[str]:
    """Yield the names that stand in a node with nothing but lists between."""
    stack: list[object] = [getattr(node, item.name) for item in fields(node)]
    while stack:
        current = stack.pop()
        if isinstance(current, tree.Name):
            yield current.name
        elif isinstance(current, tree.Argument):
            stack.append(current.value)
        elif isinstance(current, tuple):
            stack.extend(current)


def excused(line: int, ranges: tuple[tuple[int, int], ...] | list[tuple[int, int]]) -> bool:
    """Tell whether a line lies in one of the ranges."""
    return any(first <= line <= last for first, last in ranges)
