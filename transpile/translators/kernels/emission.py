"""The text of a kernel's pieces: thread loops, uniform control flow, variables in their new homes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import unqualified
from transpile.code.syntax import (
    LOOPS,
    Function,
    ancestors,
    block_statements,
    condition,
    find,
    inside,
    outside_lambdas,
    quoted,
    replace,
    source,
)
from transpile.code.syntax import field as child_of
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.layout import Rewriting, render
from transpile.translators.kernels.peel import Peeler
from transpile.translators.kernels.pieces import (
    Choose,
    Exchange,
    Leave,
    Once,
    Piece,
    Repeat,
    Scope,
    Threads,
    escaping_jumps,
    members_of,
)
from transpile.translators.kernels.privates import declare_at
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.storage import Storage
from transpile.translators.kernels.strides import Strided, plain_loop
from transpile.translators.kernels.teams import Team
from transpile.translators.kernels.types import Types
from transpile.translators.kernels.uniformity import Uniformity, loads


@dataclass(slots=True)
class Emission:
    """Writes the pieces of one kernel."""

    draft: Draft
    function: Function
    variables: Variables
    team: Team
    uniformity: Uniformity
    storage: Storage
    peeler: Peeler
    taken: frozenset[int] = frozenset()
    """Ids of the kernel's own variables that became the variables of thread loops."""
    leave: str = "continue"
    """What a return of the whole block becomes."""
    headers: set[str] = field(default_factory=set)
    last: Threads | Exchange | None = None
    counters: set[int] = field(default_factory=set)
    """Declarations of variables that count in loops which the threads share out."""
    copies: set[str] = field(default_factory=set)
    """Declarations of copies that statements of lanes read from; those of a sequence share them."""

    def lines(
        self, pieces: Sequence[Piece], indent: str, unit: str, arrays: Sequence[str] = (), first: int = 0
    ) -> list[str]:
        """Return the lines of all pieces, with declarations of arrays behind the first ones."""
        self.last = [None, *members_of(pieces)][-1]
        self.counters = set(self.peeler.counters(pieces))
        before = self._sequence(pieces[:first], indent, unit)
        return [*before, *arrays, *self._sequence(pieces[first:], indent, unit)]

    def _sequence(self, pieces: Sequence[Piece], indent: str, unit: str) -> list[str]:
        lines: list[str] = []
        for piece in pieces:
            new = self._piece(piece, indent, unit)
            new = [line for line in new if line not in lines or line.strip() not in self.copies]
            if lines and new and self._set_apart(piece):
                lines.append("")
            lines += new
        return lines

    def _piece(self, piece: Piece, indent: str, unit: str) -> list[str]:
        match piece:
            case Threads():
                return self._arrays(piece, indent) + self._threads(piece, indent, unit)
            case Once():
                return self._plain([*piece.comments, piece.statement, *piece.trailing], indent)
            case Leave():
                return self._comments(piece, indent) + self._leave(piece, indent)
            case Repeat():
                return self._comments(piece, indent) + self._repeat(piece, indent, unit)
            case Choose():
                return self._comments(piece, indent) + self._choose(piece, indent, unit)
            case Scope():
                inner = self._sequence(piece.pieces, indent + unit, unit)
                return [*self._comments(piece, indent), indent + "{", *inner, indent + "}"]
            case Exchange():
                return self._arrays(piece, indent) + self._exchange(piece, indent, unit)

    def _exchange(self, piece: Exchange, indent: str, unit: str) -> list[str]:
        refuse("TP209", piece.statement, f"no rule translates {quoted(piece.statement)}")

    def _comments(self, piece: Leave | Repeat | Choose | Scope | Exchange, indent: str) -> list[str]:
        return render(self.function, piece.comments, Rewriting(), indent)

    def _set_apart(self, piece: Piece) -> bool:
        """Tell whether the source has an empty line above a piece."""
        match piece:
            case Threads():
                first = piece.statements[0]
            case Repeat():
                first = (*piece.comments, piece.loop)[0]
            case _:
                first = (*piece.comments, piece.statement)[0]
        before = self.function.text[: first.start_byte]
        return before[len(before.rstrip()) :].count("\n") > 1

    # -- uniform pieces

    def _plain(self, nodes: list[Node], indent: str) -> list[str]:
        rewriting = Rewriting(edits=[e for node in nodes for e in self.team.uniform_edits(node)])
        return render(self.function, nodes, rewriting, indent)

    def _text(self, node: Node, end: int | None = None) -> str:
        stop = node.end_byte if end is None else end
        return apply_outermost(self.function.text, self.team.uniform_edits(node), node.start_byte, stop)

    def member_text(self, node: Node) -> str:
        """Return an expression as one thread computes it."""
        edits = [*self.team.edits(node), *self.places([node])]
        return apply_outermost(self.function.text, edits, node.start_byte, node.end_byte)

    def _leave(self, piece: Leave, indent: str) -> list[str]:
        edits = self.team.uniform_edits(piece.statement)
        edits += [
            replace(jump, f"{self.leave};") for jump in outside_lambdas(piece.statement, "return_statement")
        ]
        return render(self.function, [piece.statement], Rewriting(edits=edits), indent)

    def _repeat(self, piece: Repeat, indent: str, unit: str) -> list[str]:
        inner = self._sequence(piece.pieces, indent + unit, unit)
        if piece.loop.type == "do_statement":
            test = self._text(child_of(piece.loop, "condition"))
            return [f"{indent}do {{", *inner, f"{indent}}} while {test};"]
        body = child_of(piece.loop, "body")
        between = list(takewhile(lambda item: item.type == "comment", _before(body)))
        end = between[-1].start_byte if between else body.start_byte
        head = self._text(piece.loop, end).strip()
        told = [f"{indent}{source(comment)}" for comment in reversed(between)]
        return [*told, f"{indent}{head} {{", *inner, indent + "}"]

    def _choose(self, piece: Choose, indent: str, unit: str) -> list[str]:
        lines = [f"{indent}if ({self._text(condition(piece.statement))}) {{"]
        lines += self._sequence(piece.then, indent + unit, unit)
        if piece.otherwise:
            lines += [indent + "} else {", *self._sequence(piece.otherwise, indent + unit, unit)]
        return [*lines, indent + "}"]

    # -- thread loops

    @property
    def filled(self) -> list[Variable]:
        """Return the per-thread arrays that all threads start with the same value."""
        return [
            v
            for v in self.storage.expanded
            if v.initializer is not None
            and not v.array
            and not loads(v.initializer)
            and self.uniformity.expression(v.initializer)
            and self.team.fills(source(v.initializer))
            and self._changes_nothing_before(v)
        ]

    def _changes_nothing_before(self, variable: Variable) -> bool:
        """Tell whether the value may be computed at the start of the variable's first piece."""
        assert variable.initializer is not None
        return all(v.constant for v in self.variables.used_in(variable.initializer))

    def _arrays(self, piece: Threads | Exchange, indent: str) -> list[str]:
        """Return the declarations of the per-thread arrays that begin their life in a piece."""
        lines = []
        for variable in self.storage.expanded:
            if self.storage.home[id(variable)] is not piece:
                continue
            fill = None
            if variable in self.filled:
                assert variable.initializer is not None
                fill = self._text(variable.initializer)
            line = self.team.array(self._element(variable), variable.name, fill)
            if line.startswith("std::vector"):
                self.headers.add("<vector>")
            lines.append(indent + line)
        return lines

    def _element(self, variable: Variable) -> str:
        if variable.reference:
            refuse("TP211", variable.declaration, f"the reference `{variable.name}` is used across a barrier")
        kind = unqualified(variable.type)
        if kind == "auto" and variable.initializer is not None and not variable.pointer:
            kind = Types(self.variables, self.draft.surroundings).of(variable.initializer) or kind
        if kind == "auto":
            refuse("TP211", variable.declaration, f"`auto {variable.name}` is used across a barrier")
        if variable.pointer:
            pointee = variable.type.strip()
            return f"{pointee} *"
        if not variable.array:
            return kind
        self.headers.add("<array>")
        for shape in find(variable.declarator, "array_declarator"):
            size = shape.child_by_field_name("size")
            if size is None:
                refuse(
                    "TP211",
                    variable.declaration,
                    f"the array `{variable.name}`, whose size is not written, is used across a barrier",
                )
            kind = f"std::array<{kind}, {source(size)}>"
        return kind

    def _threads(self, piece: Threads, indent: str, unit: str) -> list[str]:
        statements = [s for s in piece.statements if s.type != "comment"]
        if len(statements) == 1 and not piece.masks:
            branch = self.peeler.alone(statements[0])
            if branch is not None and self._can_be_alone(branch):
                return self._alone(piece, branch, indent)
            strided = self.peeler.shared_out(statements[0])
            if strided is not None and not self._keeps_private(statements[0]):
                edits = [*self._plain_loop(strided), *self.edits(piece)]
                return render(self.function, piece.statements, Rewriting(edits=edits), indent)
        first = self.peeler.first_threads(piece)
        return self._looped(piece, first, indent, unit)

    def _plain_loop(self, strided: Strided) -> list[Edit[str]]:
        """Return the edits for a plain loop, its bound in the port's names."""
        head, *rest = plain_loop(self.function.text, strided)
        bound = source(strided.bound)
        return [Edit(head.start, head.end, head.text.replace(bound, self._text(strided.bound))), *rest]

    def _can_be_alone(self, branch: Node) -> bool:
        """Tell whether the first member's branch needs no formula of its own index but the index itself."""
        needed = self.storage.needed_in([branch], self.variables)
        return not any(self.peeler.of_thread(v) for v in needed if id(v) not in self.taken)

    def _keeps_private(self, statement: Node) -> bool:
        return any(v in self.storage.expanded for v in self.variables.used_in(statement))

    def _alone(self, piece: Threads, branch: Node, indent: str) -> list[str]:
        """Return what the first member does, without a loop."""
        edits = [*self.team.edits(branch, zero=True), *self.places([branch], "0")]
        nodes = [s for s in piece.statements if s.type == "comment"] + block_statements(branch)
        needed = self._needed([branch])
        lines = render(self.function, nodes, Rewriting(edits=edits), indent)
        return [line for v in needed for line in self._plain([v.declaration], indent)] + lines

    def _recomputed(self, variable: Variable, indent: str) -> list[str]:
        edits = [*self.team.edits(variable.declaration), *self.places([variable.declaration])]
        return render(self.function, [variable.declaration], Rewriting(edits=edits), indent)

    def _looped(self, piece: Threads, first: tuple[Node, Node] | None, indent: str, unit: str) -> list[str]:
        statements = piece.statements
        if all(s.type == "comment" or s.id in self.dropped([]) for s in statements):
            return []
        if first is not None:
            statements = [s for s in statements if s.type == "comment"] + block_statements(first[1])
        heads = self.team.heads(source(first[0]) if first is not None else None)
        above = list(takewhile(lambda s: s.type == "comment", statements)) if heads else []
        lines = render(self.function, above, Rewriting(), indent)
        body = self._body(piece, statements[len(above) :], indent + unit * len(heads))
        return lines + self.loop(heads, body, indent, unit)

    def loop(self, heads: list[str], body: list[str], indent: str, unit: str) -> list[str]:
        """Return a nest of loops around a body, with what the team needs at its start."""
        if not heads:
            return body
        inner = indent + unit * len(heads)
        lines = [f"{indent}{unit * level}{head}" for level, head in enumerate(heads)]
        lines[-1] += " {"
        prelude = [inner + line for line in self.team.prelude(body)]
        return [*lines, *prelude, *body, f"{indent}{unit * (len(heads) - 1)}}}"]

    def _body(self, piece: Threads, statements: list[Node], indent: str) -> list[str]:
        nodes = [*statements, *piece.masks]
        present = {v.declaration.id for v in self.storage.recomputed if self.storage.home.get(id(v)) is piece}
        needed = self._needed(nodes)
        lines = self.asked(nodes, piece.masks, indent, present)
        for variable in self.variables.all:
            move = self.storage.move(variable, piece)
            if move is not None and move.assignment is None:
                lines.append(f"{indent}{source(variable.declaration)}")
        rewriting = Rewriting(edits=self.edits(piece), dropped=self.dropped(needed))
        return lines + render(self.function, statements, rewriting, indent)

    def _needed(self, nodes: list[Node]) -> list[Variable]:
        return [v for v in self.storage.needed_in(nodes, self.variables) if id(v) not in self.taken]

    def asked(
        self, nodes: list[Node], masks: Sequence[Node], indent: str, present: Collection[int] = ()
    ) -> list[str]:
        """Return what a member does first: compute again what nodes use, and skip what has returned."""
        lines: list[str] = []
        for variable in self._needed(nodes):
            if variable.declaration.id not in present:
                lines += self._recomputed(variable, indent)
        return lines + [f"{indent}if ({self.member_text(mask)}) continue;" for mask in masks]

    def dropped(self, needed: list[Variable]) -> set[int]:
        """Return the declarations that are made elsewhere or not needed in a piece."""
        dropped = {v.declaration.id for v in self.storage.recomputed if v not in needed} | self.counters
        for variable in self.variables.all:
            if id(variable) in self.storage.moved and variable.initializer is None:
                dropped.add(variable.declaration.id)
            if variable in self.storage.expanded and (
                variable.initializer is None or variable in self.filled
            ):
                dropped.add(variable.declaration.id)
        return dropped

    def places(self, nodes: Sequence[Node], place: str | None = None) -> list[Edit[str]]:
        """Return the edits that look up variables kept for each member."""
        at = self.team.place if place is None else place
        return [
            replace(use, f"{variable.name}[{at}]{'.data()' if _decays(use, variable) else ''}")
            for variable in self.storage.expanded
            for use in variable.uses
            if any(inside(use, node) for node in nodes)
        ]

    def edits(self, piece: Threads | Exchange) -> list[Edit[str]]:
        """Return the edits of the statements of a piece."""
        nodes = piece.statements if isinstance(piece, Threads) else [piece.statement]
        edits = [e for node in nodes for e in self.team.edits(node)] + self.places(nodes)
        begun = [self.begins(v, self.team.place) for v in self.storage.expanded]
        edits += [edit for edit in begun if edit is not None]
        for variable in self.variables.all:
            move = self.storage.move(variable, piece)
            if move is not None and move.assignment is not None:
                edits.append(declare_at(variable, move.assignment))
        return edits + (self._returns(piece) if isinstance(piece, Threads) else [])

    @staticmethod
    def begins(variable: Variable, place: str) -> Edit[str] | None:
        """Return the edit that turns the declaration of a kept variable into an assignment."""
        if variable.initializer is None:
            return None
        start, end = variable.declaration.start_byte, variable.initializer.start_byte
        if not variable.array or variable.initializer.type != "initializer_list":
            return Edit(start, end, f"{variable.name}[{place}] = ")
        values = _braced(variable.initializer)
        return Edit(start, variable.initializer.end_byte, f"{variable.name}[{place}] = {values}")

    def _returns(self, piece: Threads) -> list[Edit[str]]:
        edits = []
        for jump in escaping_jumps(piece):
            if jump.type != "return_statement":
                waiting = "while other threads wait at a barrier in it"
                refuse("TP201", jump, f"{quoted(jump)} may leave a loop {waiting}")
            if piece is not self.last or piece.around:
                refuse("TP205", jump, "a thread may return before the other threads reach a barrier")
            if any(parent.type in LOOPS for parent in ancestors(jump)):
                refuse("TP205", jump, "a thread may return from inside a loop")
            edits.append(replace(jump, "continue;" if self.team.heads(None) else f"{self.leave};"))
        return edits


def _braced(values: Node) -> str:
    """Return the values of an array for a ``std::array``, which holds an array in braces of its own."""
    inner = [item for item in values.named_children if item.type != "comment"]
    texts = (_braced(item) if item.type == "initializer_list" else source(item) for item in inner)
    return f"{{{{{', '.join(texts)}}}}}" if inner else "{}"


def _decays(use: Node, variable: Variable) -> bool:
    """Tell whether an array of one dimension is used as a pointer to its first element."""
    parent = use.parent
    if not variable.array or parent is None or len(list(find(variable.declarator, "array_declarator"))) != 1:
        return False
    measured = any(above.type == "sizeof_expression" for above in ancestors(use))
    return parent.type != "subscript_expression" and not measured


def _before(node: Node) -> Iterator[Node]:
    """Yield the nodes ahead of one in its parent, the nearest first."""
    while (previous := node.prev_sibling) is not None:
        yield previous
        node = previous
