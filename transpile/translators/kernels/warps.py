"""Lanes that pass values to each other: loops over the warps of a block, and over the lanes of a warp."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import ClassVar

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import launch_name
from transpile.code.syntax import called, inside, operator, source, squeeze, unparenthesized
from transpile.code.syntax import field as child_of
from transpile.code.variables import Variable
from transpile.core import LaunchLaw, ShapeDependent
from transpile.translators.kernels.coordinates import GLOBALS, THREADS
from transpile.translators.kernels.effects import has_warp_primitive
from transpile.translators.kernels.emission import Emission
from transpile.translators.kernels.peel import Peeler
from transpile.translators.kernels.pieces import Cutter, Exchange, Threads, members_of
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.shuffles import Exchanger
from transpile.translators.kernels.storage import Storage, decide, stable
from transpile.translators.kernels.strides import Strided
from transpile.translators.kernels.teams import BlockTeam, WarpTeam
from transpile.translators.kernels.uniformity import Uniformity
from transpile.translators.kernels.warpforms import exchanges, is_lane, is_vote, is_warp, operand, shuffles


class WarpPeeler(Peeler):
    """Finds what lane 0 does alone."""

    lanes: frozenset[int] = frozenset()
    """Ids of the kernel's variables that hold the lane."""

    def _is_zero(self, node: Node) -> str | None:
        if node.type == "unary_expression" and operator(node) == "!":
            return "x" if self._lane(unparenthesized(child_of(node, "argument"))) else None
        if node.type != "binary_expression" or operator(node) != "==":
            return None
        left, right = child_of(node, "left"), child_of(node, "right")
        if squeeze(source(left)) == "0":
            left, right = right, left
        return "x" if squeeze(source(right)) == "0" and self._lane(unparenthesized(left)) else None

    def _lane(self, node: Node) -> bool:
        if node.type == "identifier":
            return id(self.variables.of(node)) in self.lanes
        return is_lane(node)

    def shared_out(self, statement: Node) -> Strided | None:
        """Return nothing: loops over lanes stay as they are."""
        return None

    def first_threads(self, piece: Threads) -> tuple[Node, Node] | None:
        """Return nothing: all lanes of a warp take part."""
        return None


@dataclass(slots=True)
class Warps:
    """The work on one piece of a block in which lanes pass values."""

    outer: Emission
    block: BlockTeam
    piece: Threads
    team_of: ClassVar[type[WarpTeam]] = WarpTeam
    peeler_of: ClassVar[type[WarpPeeler]] = WarpPeeler
    warp: str = field(init=False)
    lane: str = field(init=False)
    lanes: str = field(init=False)
    whole: bool = field(init=False)
    """Blocks are known to consist of whole warps."""
    own: dict[int, str] = field(init=False)
    uniformity: Uniformity = field(init=False)

    def __post_init__(self) -> None:
        taken = self.outer.function.identifiers | set(self.block.names.names.values())
        words = {id(v): word for v in self.outer.variables.all if (word := self._word(v)) is not None}
        self.own = words
        self.lane = self._named("lane") or self._new(taken, "lane")
        self.warp = self._named("warp") or self._new(taken, "warp")
        self.whole = self._are_whole()
        self.lanes = "32" if self.whole else free_name(taken, "lanes", "lane_count")

    @property
    def count(self) -> str:
        """Return the number of threads in a block."""
        return self.block.names.of("blockDim.x")

    def _new(self, taken: Collection[str], word: str) -> str:
        """Return a name for the lane or the warp, where the kernel has none."""
        return free_name(taken, word, f"{word}_index")

    def _are_whole(self) -> bool:
        """Tell whether blocks are known to consist of whole warps."""
        return _whole_warps(self.outer.draft.law)

    def _word(self, variable: Variable) -> str | None:
        """Return what a never-changing variable of the kernel holds: lane, warp or thread."""
        if not variable.constant or variable.initializer is None:
            return None
        parent = variable.declaration.parent
        if parent is None or parent.id != self.outer.function.body.id:
            return None
        return self._thread_formula(unparenthesized(variable.initializer))

    def _thread_formula(self, node: Node) -> str | None:
        """Return which of the words an expression comes to; None where it is none of them."""
        if is_lane(node):
            return "lane"
        if is_warp(node):
            return "warp"
        if launch_name(node) == "threadIdx.x":
            return "thread"
        if node.type != "binary_expression":
            return None
        left = unparenthesized(child_of(node, "left"))
        variable = self.outer.variables.of(left) if left.type == "identifier" else None
        if variable is None or self.outer.peeler.reader.formula(variable) != THREADS["x"]:
            return None
        form = (operator(node), squeeze(source(child_of(node, "right"))).rstrip("uU"))
        return {("%", "32"): "lane", ("&", "31"): "lane", ("&", "0x1f"): "lane"}.get(form) or {
            ("/", "32"): "warp",
            (">>", "5"): "warp",
        }.get(form)

    def _named(self, word: str) -> str | None:
        return next((v.name for v in self.outer.variables.all if self.own.get(id(v)) == word), None)

    def lines(self, indent: str, unit: str) -> list[str]:
        """Return the body of the loop over warps."""
        outer = self.outer
        settled = frozenset(id(v) for v in outer.storage.expanded)
        statements = [*self._moved_here(), *self.piece.statements]
        self.uniformity = Uniformity(
            statements,
            outer.variables,
            has_warp_primitive,
            already=outer.uniformity.known,
            decide=self._uniform,
            excluded=settled | frozenset(self.own),
        )
        cutter = Cutter(
            self.uniformity,
            has_warp_primitive,
            _is_syncwarp,
            exchanges=exchanges,
            masks=self.piece.masks,
            stable=lambda node: stable(node, outer.variables, self.uniformity),
            dropped={v.declaration.id for v in outer.variables.all if id(v) in self.own},
        )
        operands = self._operands(statements)
        peeler = self.peeler_of(outer.variables, self.uniformity, outer.peeler.reader, "x", operands)
        peeler.lanes = frozenset(key for key, word in self.own.items() if word == "lane")
        pieces = peeler.peel(cutter.cut(statements))
        storage = decide(
            pieces, outer.variables, self.uniformity, operands - settled, settled | frozenset(self.own)
        )
        self._check_operands(operands, storage, settled)
        storage.recomputed += [
            v
            for v in outer.storage.recomputed
            if id(v) not in storage.home
            and id(v) not in self.own
            and not any(inside(v.declaration, s) for s in statements)
        ]
        team = self._team(storage)
        emission = WarpEmission(
            draft=outer.draft,
            function=outer.function,
            variables=outer.variables,
            team=team,
            uniformity=self.uniformity,
            storage=storage,
            peeler=peeler,
            taken=frozenset(self.own),
            headers=outer.headers,
            outer=outer,
        )
        result = emission.lines(pieces, indent, unit)
        if not list(members_of(pieces)):
            refuse("TP209", self.piece.statements[0], "nothing is left for the lanes to do")
        return result

    def _team(self, storage: Storage) -> WarpTeam:
        return self.team_of(
            names=self.block.names,
            warp=self.warp,
            lane=self.lane,
            own=self.own,
            variables=self.outer.variables,
            outer=self.outer.storage.expanded,
            lanes=self.lanes,
            formulas={id(v): v.initializer for v in storage.recomputed if v.initializer is not None},
        )

    def _moved_here(self) -> list[Node]:
        """Return declarations that stand before this piece, of variables that it has for itself."""
        variables, storage = self.outer.variables.all, self.outer.storage
        return [v.declaration for v in variables if storage.move(v, self.piece) is not None]

    def _operands(self, statements: list[Node]) -> frozenset[int]:
        found = set()
        for statement in statements:
            for call in shuffles(statement):
                variable = self.outer.variables.of(unparenthesized(operand(call)))
                if variable is not None and not self.uniformity.holds(variable):
                    found.add(id(variable))
        return frozenset(found)

    def _check_operands(self, operands: frozenset[int], storage: Storage, settled: frozenset[int]) -> None:
        kept = settled | {id(v) for v in storage.expanded}
        for variable in self.outer.variables.all:
            if id(variable) in operands - kept:
                refuse(
                    "TP209",
                    variable.declaration,
                    f"`{variable.name}` is passed between lanes, and set in another part of the kernel",
                )

    def _uniform(self, node: Node, uniformity: Uniformity) -> bool | None:
        """Decide whether an expression is the same in all lanes; None where its parts decide."""
        if is_warp(node) or self._warp_of_grid(node):
            return True
        if node.type == "call_expression" and is_vote(called(node)):
            return True
        if node.type == "binary_expression" and operator(node) in ("<", ">="):
            written = squeeze(source(child_of(node, "right"))).rstrip("uU")
            limit = self.outer.draft.surroundings.number(written)
            if limit.isdigit() and int(limit) % 32 == 0 and self._is_place(child_of(node, "left")):
                return True
        if node.type == "identifier":
            variable = self.outer.variables.of(node)
            if variable is None:
                return None
            if id(variable) in self.own:
                return self.own[id(variable)] == "warp"
            if variable in self.outer.storage.expanded:
                return False
            outside = not any(inside(variable.declaration, s) for s in self.piece.statements)
            if outside and variable in self.outer.storage.recomputed and variable.initializer is not None:
                return uniformity.expression(variable.initializer)
        return None

    def _warp_of_grid(self, node: Node) -> bool:
        """Tell whether an expression is the place of a warp in the grid."""
        if node.type != "binary_expression":
            return False
        form = (operator(node), squeeze(source(child_of(node, "right"))).rstrip("uU"))
        if form not in (("/", "32"), (">>", "5")):
            return False
        left = child_of(node, "left")
        return self._is_place(left) or self._of_grid(left)

    def _is_place(self, node: Node) -> bool:
        """Tell whether an expression is the place of a thread in its block."""
        return self.outer.peeler.reader.index(node) == THREADS["x"]

    def _of_grid(self, node: Node) -> bool:
        """Tell whether an expression is the place of a thread in the grid."""
        return self.outer.peeler.reader.index(node) == GLOBALS["x"]


def _whole_warps(law: LaunchLaw | None) -> bool:
    """Tell whether a law says that blocks consist of whole warps, or says nothing of their size.

    It says something by the launches that it was learnt at as well.
    """
    if not isinstance(law, ShapeDependent) or any(map(_is_ragged, law.launches)):
        return False
    sizes = [re.fullmatch(r"blockDim\.x == (\d+)", relation) for relation in law.relations]
    fixed = any(match is not None and int(match.group(1)) % 32 == 0 for match in sizes)
    free = not any("blockDim" in relation for relation in law.relations)
    return fixed or free or any("blockDim.x % 32 == 0" in relation for relation in law.relations)


def _is_ragged(family: Sequence[str]) -> bool:
    """Tell whether a launch has blocks of a fixed size whose last warp is not whole."""
    sides = family[3:6]
    return all(map(str.isdigit, sides)) and prod(map(int, sides)) % 32 != 0


def _is_syncwarp(statement: Node) -> bool:
    if statement.type != "expression_statement" or not statement.named_children:
        return False
    call = statement.named_children[0]
    return call.type == "call_expression" and called(call) == "__syncwarp"


@dataclass(slots=True)
class WarpEmission(Emission):
    """Writes the pieces of a warp."""

    outer: Emission | None = None

    def _exchange(self, piece: Exchange, indent: str, unit: str) -> list[str]:
        assert isinstance(self.team, WarpTeam)
        return Exchanger(self, self.team, piece).lines(indent, unit)

    def dropped(self, needed: list[Variable]) -> set[int]:
        """Return the declarations that are made elsewhere: around the warps, too."""
        assert self.outer is not None
        return Emission.dropped(self, needed) | self.outer.dropped(self.outer.storage.recomputed)

    def edits(self, piece: Threads | Exchange) -> list[Edit[str]]:
        """Return the edits of a piece, with those for arrays over the block."""
        assert self.outer is not None
        assert isinstance(self.team, WarpTeam)
        begun = [Emission.begins(v, self.team.thread) for v in self.outer.storage.expanded]
        return [*(e for e in begun if e is not None), *Emission.edits(self, piece)]
