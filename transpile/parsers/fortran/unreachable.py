"""Lines of routines that no call runs, by the text: behind what never returns, under constant conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.real_constants import real_value
from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.symbols import Procedure, Scope
from transpile.parsers.fortran.walking import Node, walk

_TRUE = ("ieee_support_inf", "ieee_support_nan")
LAST = 1 << 30
"""The last line of a routine, as far as is known."""
_EXACT, _FAR = 1 << 24, 1e-3
"""Whole numbers that all types hold, and the share by which others have to differ."""
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
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


def idle(procedure: Procedure) -> tuple[tuple[int, int], ...]:
    """Return the lines that do nothing, each as a range.

    Of a loop up to `10 continue` that always ends by a jump, gcov counts that line as one that never runs.
    """
    nodes = [node for statement in procedure.unit.body for node in walk(statement)]
    lines = {node.line for node in nodes if isinstance(node, tree.Continue)}
    others = {
        node.line
        for node in nodes
        if isinstance(node, tree.Statement) and not isinstance(node, (tree.Continue, tree.Comment))
    }
    return tuple((line, line) for line in sorted(lines - others))


def constant_conditions(procedure: Procedure, program: Program) -> tuple[int, ...]:
    """Return the lines of conditions of a routine that always have the same value."""
    reader = _Reader(procedure, program)
    list(reader.ranges(procedure.unit.body, LAST))
    return (
        *reader.constant,
        *_always(procedure, reader),
    )


def _always(procedure: Procedure, reader: _Reader) -> Iterator[int]:
    yield from (
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
        self.known: dict[str, float] = dict(_known(procedure))
        self.now: dict[str, float] = {}
        """Local variables that hold a constant where the reader is."""
        self.targets = _targets(procedure)
        self.constant: list[int] = []
        """Lines of conditions that have one value where they stand."""

    def ranges(self, statements: tuple[tree.Statement, ...], end: int) -> Iterator[tuple[int, int]]:
        """Yield dead ranges of statements, behind which the line `end` comes next."""
        real = [item for item in statements if not isinstance(item, (tree.Comment, tree.Format))]
        for at, statement in enumerate(real):
            following = real[at + 1].line if at + 1 < len(real) else end
            if self._ends(statement):
                labelled = next((item.line for item in real[at + 1 :] if item.label in self.targets), end)
                if labelled > following:
                    yield following, labelled - 1
                elif end == LAST:
                    yield statement.line + 1, LAST
                if labelled == end:
                    return
            inner = following if following != LAST else _last_line(statement) + 1
            if self._labels((statement,)):
                self.now.clear()
            yield from self._within(statement, inner)
            self._follow(statement)

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
                self._forget(statement)
                yield from self.ranges(body, end)
            case _:
                pass

    def _arms(
        self, arms: tuple[tuple[tree.Expression | None, tuple[tree.Statement, ...]], ...], end: int
    ) -> Iterator[tuple[int, int]]:
        dead = False
        before = dict(self.now)
        for at, (condition, body) in enumerate(arms):
            self.now = dict(before)
            behind = self._begin(arms[at + 1], end) if at + 1 < len(arms) else end
            if dead:
                yield self._begin((condition, body), end), behind - 1
                continue
            value = None if condition is None else self.truth(condition)
            if condition is not None and value is not None:
                self.constant.append(condition.line)
            if value is False and body and not self._labels(body):
                yield body[0].line, behind - 1
            else:
                yield from self.ranges(body, behind)
            rest = [item for _, inner in arms[at + 1 :] for item in inner]
            dead = value is True and not self._labels(rest)

    def _labels(self, statements: tuple[tree.Statement, ...] | list[tree.Statement]) -> bool:
        """Tell whether anything could be jumped to."""
        inner = (node for item in statements for node in walk(item))
        return any(isinstance(node, tree.Statement) and node.label in self.targets for node in inner)

    def _follow(self, statement: tree.Statement) -> None:
        """Know what a statement leaves in local variables."""
        self._forget(statement)
        if isinstance(statement, tree.Assign) and isinstance(statement.target, tree.Name):
            name = statement.target.name
            value = self._number(statement.value)
            inner = bool(self.scope.procedures)
            if value is not None and not inner and _local(name, self.scope, ("integer", "real")):
                self.now[name] = value

    def _forget(self, statement: tree.Statement) -> None:
        """Know nothing of variables that a statement may change."""
        if not self.now:
            return
        for node in walk(statement):
            if isinstance(node, tree.Assign) and isinstance(node.target, tree.Name):
                self.now.pop(node.target.name, None)
            for name in _given(node):
                self.now.pop(name, None)

    def _begin(self, arm: tuple[tree.Expression | None, tuple[tree.Statement, ...]], end: int) -> int:
        condition, body = arm
        return condition.line if condition is not None else body[0].line if body else end

    def truth(self, condition: tree.Expression) -> bool | None:
        """Return the value that a condition always has; None where it may have either."""
        match condition:
            case tree.Parenthesized(inner=inner):
                return self.truth(inner)
            case tree.Binary(operator="==" | "/=" as operator, left=left, right=tree.String(value=text)):
                room = self._room(left)
                return operator == "/=" if room is not None and len(text.rstrip()) > room else None
            case tree.Binary(operator=operator, left=left, right=right) if operator in _COMPARISONS:
                first, second = self._number(left), self._number(right)
                if first is None or second is None or not _apart(first, second):
                    return None
                return _COMPARISONS[operator](first, second)
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

    def _room(self, expression: tree.Expression) -> int | None:
        """Return how many characters a part of a text has where its bounds are constants, else None."""
        match expression:
            case tree.Apply(base=tree.Name(), arguments=(tree.Argument(value=tree.Range() as part),)):
                first, last = fold(part.first, self.scope), fold(part.last, self.scope)
                return None if first is None or last is None else max(last - first + 1, 0)
            case _:
                return None

    def _number(self, expression: tree.Expression) -> float | None:
        """Return the value of an expression where the reader is; that of a real one is rounded otherwise."""
        known = self.known | self.now
        match expression:
            case tree.Parenthesized(inner=inner):
                return self._number(inner)
            case tree.Name(name=name) if name in known:
                return known[name]
            case tree.Binary(operator="*", left=left, right=right) if fold(expression, self.scope) is None:
                first, second = self._number(left), self._number(right)
                return None if first is None or second is None else first * second
            case _:
                whole = fold(expression, self.scope)
                return real_value(expression, self.scope) if whole is None else whole


def _apart(first: float, second: float) -> bool:
    """Tell whether rounding cannot turn a comparison: of small whole numbers, or of what is far apart."""
    whole = first == int(first) and second == int(second) if max(abs(first), abs(second)) < _EXACT else False
    return whole or abs(first - second) > _FAR * max(abs(first), abs(second))


def _last_line(statement: tree.Statement) -> int:
    return max(node.line for node in walk(statement) if isinstance(node, (tree.Statement, tree.Expression)))


def _targets(procedure: Procedure) -> frozenset[str]:
    """Return the labels that could be jumped to: those that jumps name, or all where some are not told."""
    nodes = [node for statement in procedure.unit.body for node in walk(statement)]
    if any(_jumps_unseen(node) for node in nodes):
        return frozenset(node.label for node in nodes if isinstance(node, tree.Statement) and node.label)
    named: set[str] = set()
    for node in nodes:
        if isinstance(node, (tree.Goto, tree.ArithmeticIf)):
            named.update(node.labels)
    return frozenset(named)


def _jumps_unseen(node: Node) -> bool:
    """Tell whether a statement may jump to a label that it does not name as one."""
    with_options = isinstance(node, (tree.Transfer, tree.FileStatement)) and bool(node.options)
    return with_options or (isinstance(node, tree.Goto) and node.assigned)


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


def _local(name: str, scope: Scope, bases: tuple[str, ...] = ("integer",)) -> bool:
    symbol = scope.find(name)
    if symbol is None or symbol.scope is not scope or symbol.role != "variable" or symbol.dummy:
        return False
    return not (
        symbol.common or symbol.rank or symbol.initial is not None or symbol.type.base not in bases
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
