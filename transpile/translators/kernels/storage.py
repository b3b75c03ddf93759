"""Where the variables of a thread live once its statements are cut into pieces."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from transpile.code.syntax import find, inside, source
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.effects import calls, is_pure_call
from transpile.translators.kernels.pieces import Exchange, Piece, Threads, members_of
from transpile.translators.kernels.privates import first_assignment_in
from transpile.translators.kernels.uniformity import Uniformity, loads

_CHEAP = 100
"""Longest formula, in characters, that is computed again rather than kept for each thread."""


@dataclass(slots=True)
class Storage:
    """What becomes of each variable that differs between threads."""

    recomputed: list[Variable] = field(default_factory=list)
    """Declared again in each piece that uses them."""
    expanded: list[Variable] = field(default_factory=list)
    """Kept for each thread, in an array."""
    moved: dict[int, tuple[Threads, Node | None]] = field(default_factory=dict)
    """By id of the variable: the one piece that uses it, and the assignment that may declare it."""
    home: dict[int, Threads | Exchange] = field(default_factory=dict)
    """By id of the variable: the piece with its declaration."""

    def needed_in(self, nodes: list[Node], variables: Variables) -> list[Variable]:
        """Return the recomputed variables that nodes use, with those that their formulas use, in order."""
        found: set[int] = set()
        stack = list(nodes)
        while stack:
            for variable in variables.used_in(stack.pop()):
                if variable in self.recomputed and id(variable) not in found:
                    found.add(id(variable))
                    assert variable.initializer is not None
                    stack.append(variable.initializer)
        return [v for v in self.recomputed if id(v) in found]


def decide(
    pieces: list[Piece],
    variables: Variables,
    uniformity: Uniformity,
    kept: frozenset[int] = frozenset(),
    settled: frozenset[int] = frozenset(),
) -> Storage:
    """Decide for every variable whose uses lie in more than one piece.

    ``kept`` holds ids of variables that need an array in any case, ``settled`` of those with a place already.
    """
    storage = Storage()
    members = list(members_of(pieces))
    for piece in members:
        for statement in _statements(piece):
            if statement.type == "declaration":
                for variable in variables.all:
                    if variable.declaration.id == statement.id:
                        storage.home[id(variable)] = piece
    for variable in variables.all:
        home = storage.home.get(id(variable))
        if home is None or uniformity.holds(variable) or id(variable) in settled:
            continue
        users = [p for p in members if _uses(p, variable)]
        if id(variable) in kept:
            storage.expanded.append(variable)
        elif recomputable(variable, variables, uniformity):
            storage.recomputed.append(variable)
        elif all(user is home for user in users):
            continue
        elif not _moved(variable, home, users, storage):
            storage.expanded.append(variable)
    return storage


def _moved(
    variable: Variable, home: Threads | Exchange, users: list[Threads | Exchange], storage: Storage
) -> bool:
    """Note a variable that one other piece uses alone; tell whether that is so."""
    if len(users) != 1 or variable.initializer is not None or variable.array:
        return False
    user = users[0]
    if not isinstance(user, Threads):
        return False
    statement = first_assignment_in(variable, user.statements)
    if statement is None and user.around != home.around:
        return False
    storage.moved[id(variable)] = (user, statement)
    return True


def _statements(piece: Threads | Exchange) -> list[Node]:
    return piece.statements if isinstance(piece, Threads) else [piece.statement]


def _uses(piece: Threads | Exchange, variable: Variable) -> bool:
    nodes = [*_statements(piece), *piece.masks]
    return any(inside(use, node) for use in variable.uses for node in nodes)


def recomputable(variable: Variable, variables: Variables, uniformity: Uniformity) -> bool:
    """Tell whether the value can be computed again anywhere, from values that never change."""
    value = variable.initializer
    if value is None or not variable.constant or variable.array or variable.reference or loads(value):
        return False
    if len(source(value)) > _CHEAP or any(True for _ in find(value, "lambda_expression", "initializer_list")):
        return False
    return stable(value, variables, uniformity, variable.scope)


def _unchanged_in(variable: Variable, scope: Node | None) -> bool:
    """Tell whether a uniform variable keeps its value throughout a scope; everywhere if that is None."""
    if variable.escapes:
        return False
    return not any(scope is None or inside(write, scope) for write in variable.writes)


def stable(value: Node, variables: Variables, uniformity: Uniformity, scope: Node | None = None) -> bool:
    """Tell whether an expression is worth the same to a thread wherever it is computed within a scope."""
    if loads(value):
        return False
    if not all(is_pure_call(call, variables) for _, call in calls(value)):
        return False
    for used in variables.used_in(value):
        fixed = used.constant and (used.parameter or used.shared)
        fixed = fixed or (uniformity.holds(used) and _unchanged_in(used, scope))
        if not fixed and not (used.constant and recomputable(used, variables, uniformity)):
            return False
    return True
