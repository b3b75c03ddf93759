"""A list of statements cut at its barriers: what all threads do one after the other, and what steers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from transpile.code.syntax import (
    LOOPS,
    alternative,
    ancestors,
    block_statements,
    condition,
    consequence,
    inside,
    outside_lambdas,
    quoted,
)
from transpile.code.syntax import field as child_of
from transpile.translators.kernels.effects import is_return
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.uniformity import Uniformity, loads


@dataclass(slots=True, eq=False)
class Threads:
    """Statements that every thread runs without waiting for another."""

    statements: list[Node]
    masks: tuple[Node, ...] = ()
    """Conditions under which a thread has already returned."""
    around: tuple[Node, ...] = ()
    """Loops with barriers that it stands in, outermost first."""


@dataclass(slots=True, eq=False)
class Once:
    """A statement on uniform variables: run once for all threads."""

    statement: Node
    comments: tuple[Node, ...] = ()
    """What is written above it, here and below."""
    trailing: tuple[Node, ...] = ()
    """What is written behind it on its line."""


@dataclass(slots=True, eq=False)
class Exchange:
    """A statement in which threads read values of each other."""

    statement: Node
    around: tuple[Node, ...] = ()
    comments: tuple[Node, ...] = ()
    masks: tuple[Node, ...] = ()
    """Conditions under which a thread has already returned."""


@dataclass(slots=True, eq=False)
class Repeat:
    """A loop that all threads run together, since there is a barrier in it."""

    loop: Node
    pieces: list[Piece]
    comments: tuple[Node, ...] = ()


@dataclass(slots=True, eq=False)
class Choose:
    """A decision that all threads take alike, with a barrier in a branch."""

    statement: Node
    then: list[Piece]
    otherwise: list[Piece]
    comments: tuple[Node, ...] = ()


@dataclass(slots=True, eq=False)
class Leave:
    """All threads return, or leave or continue a loop, together."""

    statement: Node
    comments: tuple[Node, ...] = ()


@dataclass(slots=True, eq=False)
class Scope:
    """A block in braces with a barrier in it."""

    statement: Node
    pieces: list[Piece]
    comments: tuple[Node, ...] = ()


Piece = Threads | Once | Exchange | Repeat | Choose | Leave | Scope


@dataclass(slots=True)
class Cutter:
    """Cuts statements where the threads synchronize."""

    uniformity: Uniformity
    synchronizes: Callable[[Node], bool]
    """Tells whether there is a barrier at or below a node."""
    is_barrier: Callable[[Node], bool]
    """Tells whether a statement is a barrier and nothing else."""
    waits: Callable[[Node], bool] = lambda _: True
    """Tells of what synchronizes whether there is a barrier: where there is none, threads may differ."""
    exchanges: Callable[[Node], bool] = lambda _: False
    """Tells whether a statement is an exchange between threads."""
    masks: tuple[Node, ...] = ()
    stable: Callable[[Node], bool] = lambda _: False
    """Tells whether an expression is worth the same wherever it is computed."""
    dropped: set[int] = field(default_factory=set)
    """Declarations that are made elsewhere: shared memory, index variables."""

    def cut(self, statements: list[Node], around: tuple[Node, ...] = ()) -> list[Piece]:
        """Return the pieces of a list of statements."""
        pieces: list[Piece] = []
        run: list[Node] = []

        def flush() -> None:
            if any(node.type != "comment" for node in run):
                pieces.append(Threads(list(run), self.masks, around))
            run.clear()

        for index, statement in enumerate(statements):
            if statement.type == "comment":
                previous = statements[index - 1] if index else None
                if previous is not None and previous.end_point[0] == statement.start_point[0] and not run:
                    if pieces and isinstance(pieces[-1], Once) and pieces[-1].statement.id == previous.id:
                        pieces[-1].trailing += (statement,)
                    continue
                run.append(statement)
                continue
            if self.is_barrier(statement) or statement.id in self.dropped:
                comments_above(run, statement)
                if statement.id not in self.dropped:
                    flush()
                continue
            if self._masks(statement, statements[index + 1 :]):
                if not self.stable(condition(statement)):
                    changes = f"the condition {quoted(condition(statement))}, which may change"
                    refuse("TP205", statement, f"a thread may return before a barrier under {changes}")
                flush()
                self.masks = (*self.masks, condition(statement))
                continue
            piece = self._piece(statement, around)
            if piece is None:
                run.append(statement)
                continue
            piece.comments = comments_above(run, statement)
            if not isinstance(piece, Once) or statement.type != "declaration" or loads(statement):
                flush()
            pieces.append(piece)
        flush()
        return pieces

    def _piece(
        self, statement: Node, around: tuple[Node, ...]
    ) -> Exchange | Repeat | Choose | Scope | Leave | Once | None:
        """Return the piece that a statement is by itself; None where each thread runs it on its own."""
        if self.exchanges(statement):
            return Exchange(statement, around, masks=self.masks)
        leave = self._leave(statement, around)
        if leave is not None:
            return leave
        if self.synchronizes(statement) and (self.waits(statement) or self._is_uniform(statement)):
            return self._compound(statement, around)
        if statement.type == "compound_statement" and self._changes_uniform(statement):
            return Scope(statement, self.cut(block_statements(statement), around))
        return Once(statement) if self.uniformity.once(statement) else None

    def _changes_uniform(self, block: Node) -> bool:
        """Tell whether a block changes what all threads have once, and have behind the block as well."""
        return any(
            self.uniformity.holds(variable) and not inside(variable.declaration, block)
            for variable in self.uniformity.variables.all
            if any(inside(write, block) for write in variable.writes)
        )

    def _is_uniform(self, branch: Node) -> bool:
        return self.uniformity.expression(condition(branch))

    def _masks(self, statement: Node, rest: list[Node]) -> bool:
        """Tell whether threads may return at a statement although others go on to a barrier."""
        if statement.type != "if_statement" or alternative(statement) is not None:
            return False
        if not is_return(consequence(statement)) or not any(self.synchronizes(s) for s in rest):
            return False
        return not self.uniformity.expression(condition(statement))

    def _compound(self, statement: Node, around: tuple[Node, ...]) -> Scope | Repeat | Choose:
        if statement.type == "compound_statement":
            return Scope(statement, self.cut(block_statements(statement), around))
        if statement.type in ("for_statement", "while_statement", "do_statement"):
            return self._repeat(statement, around)
        if statement.type == "if_statement":
            if not self.uniformity.expression(condition(statement)):
                differs = f"{quoted(condition(statement))}, which may differ between the threads of a block"
                refuse("TP201", statement, f"a barrier under the condition {differs}")
            other = alternative(statement)
            return Choose(
                statement,
                self.cut(block_statements(consequence(statement)), around),
                self.cut(block_statements(other), around) if other is not None else [],
            )
        refuse("TP201", statement, f"a barrier inside a `{statement.type.partition('_')[0]}` statement")

    def _repeat(self, loop: Node, around: tuple[Node, ...]) -> Repeat:
        test = loop.child_by_field_name("condition")
        if test is not None and not self.uniformity.expression(condition(loop)):
            differs = f"{quoted(condition(loop))}, which may differ between the threads of a block"
            refuse("TP201", loop, f"a barrier in a loop with the condition {differs}")
        for name in ("initializer", "update"):
            part = loop.child_by_field_name(name)
            if part is not None and not self._uniform_head(part):
                differs = f"{quoted(part)}, which may differ between the threads of a block"
                refuse("TP201", loop, f"a barrier in a loop with the {name} {differs}")
        return Repeat(loop, self.cut(block_statements(child_of(loop, "body")), (*around, loop)))

    def _uniform_head(self, part: Node) -> bool:
        variables = self.uniformity.variables
        concerned = [v for v in variables.all if inside(v.declaration, part)]
        concerned += [v for v in variables.all if any(inside(w, part) for w in v.writes)]
        return all(self.uniformity.holds(v) for v in concerned)

    def _leave(self, statement: Node, around: tuple[Node, ...]) -> Leave | None:
        """Return the piece for a uniform if that only returns, breaks or continues."""
        if statement.type in ("break_statement", "continue_statement") and around:
            return Leave(statement)
        if statement.type == "return_statement" and not around:
            return Leave(statement)
        if statement.type != "if_statement" or alternative(statement) is not None:
            return None
        branch = [s for s in block_statements(consequence(statement)) if s.type != "comment"]
        if len(branch) != 1 or not self.uniformity.expression(condition(statement)):
            return None
        if branch[0].type == "return_statement" and not around:
            return Leave(statement)
        if branch[0].type in ("break_statement", "continue_statement") and around:
            return Leave(statement)
        return None


def comments_above(run: list[Node], statement: Node) -> tuple[Node, ...]:
    """Take the comments that belong to a statement from the end of the statements before it."""
    taken: list[Node] = []
    follower = statement
    while run and run[-1].type == "comment" and follower.start_point[0] - run[-1].end_point[0] <= 1:
        if len(run) > 1 and run[-2].end_point[0] == run[-1].start_point[0]:
            break
        follower = run.pop()
        taken.insert(0, follower)
    return tuple(taken)


def members_of(pieces: Sequence[Piece]) -> Iterator[Threads | Exchange]:
    """Yield every piece that members run one by one, in order."""
    for piece in pieces:
        match piece:
            case Threads() | Exchange():
                yield piece
            case Repeat() | Scope():
                yield from members_of(piece.pieces)
            case Choose():
                yield from members_of(piece.then)
                yield from members_of(piece.otherwise)
            case Once() | Leave():
                pass


def escaping_jumps(piece: Threads) -> Iterator[Node]:
    """Yield the jumps that leave the statements of a piece: to a loop around it, or out of the kernel."""
    for statement in piece.statements:
        for jump in outside_lambdas(
            statement, "return_statement", "break_statement", "continue_statement", "goto_statement"
        ):
            if jump.type in ("return_statement", "goto_statement"):
                yield jump
                continue
            homes = (*LOOPS, "switch_statement") if jump.type == "break_statement" else tuple(LOOPS)
            home = next((p for p in ancestors(jump) if p.type in homes), None)
            if home is None or not inside(home, statement):
                yield jump
