"""Shuffles as reads from an array with a value for each lane, and votes as loops over the lanes."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name
from transpile.code.syntax import called, field, find, replace, source, unparenthesized
from transpile.code.variables import Variable
from transpile.translators.kernels.emission import Emission
from transpile.translators.kernels.layout import Rewriting, render
from transpile.translators.kernels.pieces import Exchange
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.teams import WarpTeam
from transpile.translators.kernels.types import Types
from transpile.translators.kernels.warpforms import distance, is_vote, operand, shuffles, width

_FOLDS = {
    "__reduce_add_sync": ("0", "{0} += {1};"),
    "__reduce_and_sync": ("~0u", "{0} &= {1};"),
    "__reduce_or_sync": ("0", "{0} |= {1};"),
    "__reduce_xor_sync": ("0", "{0} ^= {1};"),
}


@dataclass(slots=True)
class Exchanger:
    """One statement in which lanes pass values."""

    emission: Emission
    team: WarpTeam
    piece: Exchange

    def lines(self, indent: str, unit: str) -> list[str]:
        """Return the statement as loops over the lanes."""
        passed = shuffles(self.piece.statement)
        if passed:
            return self._shuffled(passed, indent, unit)
        call = next(c for c in find(self.piece.statement, "call_expression") if called(c).startswith("__"))
        if not is_vote(called(call)):
            refuse("TP209", call, f"no rule translates `{called(call)}`")
        return self._voted(call, indent, unit)

    # -- votes

    def _voted(self, call: Node, indent: str, unit: str) -> list[str]:
        statement = self.piece.statement
        parent = call.parent
        assert parent is not None
        name, vote = source(field(parent, "declarator")), called(call)
        value = self._text(unparenthesized(operand(call)))
        if vote in _FOLDS:
            start, step = _FOLDS[vote]
            body = step.format(name, value)
        elif vote in ("__reduce_max_sync", "__reduce_min_sync"):
            start, body = self._extremum(name, vote[9:12], unparenthesized(operand(call)), value)
        elif "ballot" in vote:
            start, body = "0", f"if ({value}) {name} |= 1u << {self.team.lane};"
        elif "any" in vote:
            start, body = "0", f"if ({value}) {name} = 1;"
        elif "__all" in vote:
            start, body = "1", f"if (!({value})) {name} = 0;"
        else:
            refuse("TP209", call, f"no rule translates `{vote}`")
        head = source(field(statement, "type")) + " "
        asked = self.emission.asked([operand(call), *self.piece.masks], self.piece.masks, indent + unit)
        return [
            f"{indent}{head}{name} = {start};",
            *self.emission.loop(self.team.heads(None), [*asked, indent + unit + body], indent, unit),
        ]

    def _extremum(self, name: str, word: str, passed: Node, value: str) -> tuple[str, str]:
        """Return the first value and the step of a reduction to the largest or the smallest."""
        emission = self.emission
        if self.piece.masks:
            refuse("TP209", passed, f"the first lane may have returned before `{word}` of all lanes")
        edits = [*self.team.edits(passed, zero=True), *emission.places([passed], "0")]
        first = apply_outermost(emission.function.text, edits, passed.start_byte, passed.end_byte)
        kind = Types(emission.variables, emission.draft.surroundings).of(passed)
        emission.headers.add("<cmath>" if kind in ("float", "double") else "<algorithm>")
        function = f"std::f{word}" if kind in ("float", "double") else f"std::{word}"
        return first, f"{name} = {function}({name}, {value});"

    def _text(self, node: Node) -> str:
        return self.emission.member_text(node)

    # -- shuffles

    def _shuffled(self, passed: list[Node], indent: str, unit: str) -> list[str]:
        statement = self.piece.statement
        assigned = self._assigned()
        before: list[str] = []
        heads = self.team.heads(None)
        edits: list[Edit[str]] = []
        for call in passed:
            variable = self._operand(call)
            if variable is None:
                edits.append(replace(call, self._text(operand(call))))
                continue
            array = variable.name
            base = f"{self.team.first} + " if variable in self.team.outer else ""
            if variable in assigned:
                order = _order(called(call), len(passed))
                if order == "copy":
                    array, copied = self._copied(variable, base)
                    before += [indent + line for line in copied]
                    base = ""
                elif order == "down":
                    lane = self.team.lane
                    heads = [f"for (int {lane} = {self._last()}; {lane} >= 0; --{lane})"]
            edits.append(replace(call, self._received(call, array, base)))
        edits += self.emission.edits(self.piece)
        dropped = self.emission.dropped([])
        body = render(
            self.emission.function,
            [statement],
            Rewriting(edits=edits, dropped=dropped),
            indent + unit * len(heads),
        )
        return before + self.emission.loop(heads, body, indent, unit)

    def _last(self) -> str:
        return "31" if self.team.lanes == "32" else f"{self.team.lanes} - 1"

    def _assigned(self) -> list[Variable]:
        return [
            v
            for v in self.emission.variables.all
            if any(
                w.start_byte >= self.piece.statement.start_byte
                and w.end_byte <= self.piece.statement.end_byte
                for w in v.writes
            )
        ]

    def _operand(self, call: Node) -> Variable | None:
        """Return the variable of which every lane has its own; None where all have the same."""
        variable = self.emission.variables.of(unparenthesized(operand(call)))
        kept = (*self.emission.storage.expanded, *self.team.outer)
        return variable if variable in kept else None

    def _copied(self, variable: Variable, base: str) -> tuple[str, list[str]]:
        """Return the name and the declaration of a copy of what all lanes hold before the statement."""
        taken = self.emission.function.identifiers
        name = free_name(taken, f"{variable.name}_before", "before")
        start = f"&{variable.name}[{base.removesuffix(' + ')}]" if base else variable.name
        self.emission.headers.add("<algorithm>")
        declaration = f"{variable.type} {name}[32];"
        self.emission.copies.add(declaration)
        return name, [declaration, f"std::copy_n({start}, {self.team.lanes}, {name});"]

    def _distance(self, call: Node, kind: str) -> str:
        """Return a lane, a distance or a mask: of what a kernel is passed a warp takes five bits."""
        node = distance(call)
        text = self._text(node)
        text = text if text.isidentifier() or text.isdigit() else f"({text})"
        named = (self.emission.variables.of(name) for name in find(node, "identifier"))
        given = any(item is not None and item.parameter for item in named)
        return f"({text} & 31)" if given and kind else text

    def _received(self, call: Node, array: str, base: str) -> str:
        """Return what a lane finds in the array."""
        kind = called(call).removesuffix("_sync").removeprefix("__shfl").removeprefix("_")
        by = self._distance(call, kind)
        lane, size = self.team.lane, width(call)
        place = lane if size == "32" else f"{lane} % {size}"
        here = self.team.thread if base else lane
        own = f"{array}[{here}]"
        cut = self.team.lanes if self.team.lanes != "32" else ""
        if kind == "xor":
            other = f"{lane} ^ {by}"
            text = f"{array}[{base}({other})]" if base else f"{array}[{other}]"
            inside = size == "32" or (by.isdigit() and size.isdigit() and int(by) < int(size))
            limits = [] if inside else [f"({other}) <= ({lane} | {_minus_one(size)})"]
            limits += [f"({other}) < {cut}"] if cut else []
            return f"({' && '.join(limits)} ? {text} : {own})" if limits else text
        if kind == "":
            start = "" if size == "32" else f"({lane} & ~{_minus_one(size)}) + "
            within = by if size == "32" and by.isdigit() else f"{by} & {_minus_one(size)}"
            within = f"({within})" if " " in within and (base or start or cut) else within
            text = f"{array}[{base}{start}{within}]"
            return f"({start}{within} < {cut} ? {text} : {own})" if cut and within != "0" else text
        if kind == "down":
            limit = f"{size} && {lane} + {by} < {cut}" if cut and size != "32" else cut or size
            text = f"{place} + {by} < {limit} ? {array}[{here} + {by}] : {own}"
        elif kind == "up":
            text = f"{place} >= {by} ? {array}[{here} - {by}] : {own}"
        else:
            refuse("TP209", call, f"no rule translates `{called(call)}`")
        parent = call.parent
        whole = parent is not None and parent.type in (
            "assignment_expression",
            "init_declarator",
            "argument_list",
        )
        return text if whole else f"({text})"


def _minus_one(size: str) -> str:
    return str(int(size) - 1) if size.isdigit() else f"({size} - 1)"


def _order(name: str, count: int) -> str:
    """Return how lanes may be visited where a statement changes what others read: up, down or from a copy."""
    if count > 1:
        return "copy"
    if "down" in name:
        return "up"
    return "down" if "up" in name else "copy"
