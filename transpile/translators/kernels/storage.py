"""Where the variables of a thread live once its statements are cut into pieces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from transpile.code.syntax import field as child_of
from transpile.code.syntax import find, inside, source
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.effects import calls, has_warp_primitive, is_pure_call
from transpile.translators.kernels.pieces import Exchange, Piece, Threads, members_of
from transpile.translators.kernels.privates import first_assignment_in
from transpile.translators.kernels.uniformity import Uniformity, loads

_CHEAP = 100
"""Longest formula, in characters, that is computed again rather than kept for each thread."""


class Move(NamedTuple):
    """A piece that declares a variable for itself."""

    piece: Threads
    assignment: Node | None
    """The statement that declares it; None where the declaration is written again."""


@dataclass(slots=True)
class Storage:
    """What becomes of each variable that differs between threads."""

    recomputed: list[Variable] = field(default_factory=list)
    """Declared again in each piece that uses them."""
    expanded: list[Variable] = field(default_factory=list)
    """Kept for each thread, in an array."""
    moved: dict[int, list[Move]] = field(default_factory=dict)
    """By id of the variable: the pieces with a declaration of their own."""
    home: dict[int, Threads | Exchange] = field(default_factory=dict)
    """By id of the variable: the piece with its declaration."""

    def move(self, variable: Variable, piece: Threads | Exchange) -> Move | None:
        """Return what declares a variable for a piece alone, if anything does."""
        return next((move for move in self.moved.get(id(variable), ()) if move.piece is piece), None)

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
        elif not _moved(variable, home, users, storage, again=_begins_again(variable, variables, uniformity)):
            storage.expanded.append(variable)
    return storage


def _begins_again(variable: Variable, variables: Variables, uniformity: Uniformity) -> bool:
    """Tell whether a variable may begin its life anywhere as it does where it is declared."""
    value = variable.initializer
    return value is None or stable(value, variables, uniformity, variable.scope)


def _moved(
    variable: Variable,
    home: Threads | Exchange,
    users: list[Threads | Exchange],
    storage: Storage,
    *,
    again: bool,
) -> bool:
    """Note a variable whose value no piece hands on to another; tell whether that is so.

    The piece that begins with a value declares it as the source does. ``again`` tells that others may, too.
    """
    begun = variable.initializer is not None
    if variable.array or variable.reference or (begun and home not in users):
        return False
    others = [user for user in users if not (begun and user is home)]
    moves = []
    for user in others:
        if not isinstance(user, Threads):
            return False
        if not again and any(map(has_warp_primitive, user.statements)):
            return False  # Lanes take the declaration as it stands, and begin with its value again.
        assignment = first_assignment_in(variable, user.statements)
        if assignment is None and (begun or len(others) > 1 or user.around != home.around):
            return False
        moves.append(Move(user, assignment))
    storage.moved[id(variable)] = moves
    return True


def _statements(piece: Threads | Exchange) -> list[Node]:
    return piece.statements if isinstance(piece, Threads) else [piece.statement]


def _uses(piece: Threads | Exchange, variable: Variable) -> bool:
    nodes = [*_statements(piece), *piece.masks]
    return any(inside(use, node) for use in variable.uses for node in nodes)


def recomputable(variable: Variable, variables: Variables, uniformity: Uniformity) -> bool:
    """Tell whether the value can be computed again anywhere, from values that never change."""
    value = variable.initializer
    if value is not None and variable.reference:
        return _stable_place(value, variables, uniformity, variable.scope)
    if value is None or not variable.constant or variable.array or loads(value):
        return False
    if len(source(value)) > _CHEAP or any(True for _ in find(value, "lambda_expression", "initializer_list")):
        return False
    return stable(value, variables, uniformity, variable.scope)


def _stable_place(value: Node, variables: Variables, uniformity: Uniformity, scope: Node) -> bool:
    """Tell whether an expression names the same element of an array wherever it stands within a scope."""
    indices = []
    while value.type == "subscript_expression":
        indices += child_of(value, "indices").named_children
        value = child_of(value, "argument")
    array = variables.of(value)
    if not indices or array is None:
        return False
    fixed = array.shared if array.array else array.parameter and array.constant
    return fixed and all(stable(index, variables, uniformity, scope) for index in indices)


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
        again = used.constant and not used.reference and recomputable(used, variables, uniformity)
        if not fixed and not again:
            return False
    return True
