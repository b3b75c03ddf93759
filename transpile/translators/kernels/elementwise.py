"""Kernels whose threads never meet: loops over the data in the place of the launch."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name, unqualified
from transpile.code.syntax import (
    Function,
    block_statements,
    condition,
    indent_unit,
    indentation,
    inside,
    outside_lambdas,
    source,
    taken_out,
    unparenthesized,
)
from transpile.code.syntax import field as child_of
from transpile.code.syntax import replace as put
from transpile.code.variables import Variable, Variables
from transpile.core import Covers, Invariant, ShapeDependent, Unbounded
from transpile.expressions import names
from transpile.translators.kernels.coordinates import Coordinate, Reader
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import (
    adds_up,
    effectful,
    has_atomic,
    has_barrier,
    has_block_fence,
    has_warp_primitive,
)
from transpile.translators.kernels.guards import Atom, Guards, parts
from transpile.translators.kernels.layout import Rewriting, assemble, render
from transpile.translators.kernels.privates import (
    declare_at,
    first_assignment,
    return_to_continue,
    written_from_outside,
)
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.strides import Strided, plain_loop, strided_loops
from transpile.translators.kernels.types import normal

PRAGMA = "#pragma omp parallel for"
_ORDER = "zyx"


def elementwise(draft: Draft) -> Draft:
    """Turn a kernel whose threads never meet into loops over its data.

    Leaves the draft as it is where threads meet, or where blocks and threads of an axis are told apart.
    """
    function = draft.function
    body = function.body
    meets = has_barrier(body) or has_warp_primitive(body) or has_block_fence(body)
    if meets or "__shared__" in code(draft.text) or draft.placed:
        return draft
    plan = _plan(draft, function)
    return draft if plan is None else _Emission(plan).draft()


@dataclass(slots=True)
class _Plan:
    """What becomes of each coordinate of one kernel."""

    draft: Draft
    function: Function
    variables: Variables
    reader: Reader
    looped: list[Coordinate]
    """Coordinates that get a loop around the body, outermost first."""
    strided: list[Strided]
    """Grid-stride loops that become plain loops."""
    mentions: list[tuple[Node, Coordinate]]
    removed: list[Variable]
    """Index variables whose declarations go."""


def _plan(draft: Draft, function: Function) -> _Plan | None:
    variables = draft.variables(function)
    reader = Reader(function, variables)
    removed = [v for v in variables.all if reader.formula(v) is not None or reader.counts(v)]
    mentions: list[tuple[Node, Coordinate]] = []
    for node, coordinate in reader.largest(function.body):
        if any(inside(node, variable.declaration) for variable in removed):
            continue
        if coordinate is None:
            return None
        mentions.append((node, coordinate))
    coordinates = sorted({c for _, c in mentions}, key=lambda c: _ORDER.index(c.axis))
    axes = "".join(c.axes for c in coordinates)
    if len(set(axes)) < len(axes) or (not coordinates and adds_up(function.body, draft.law)):
        return None
    if any(c.label == "thread" for c in coordinates) and has_atomic(function.body):
        return None
    if any(c.label in ("thread", "block") for c in coordinates) and _prints(draft):
        return None
    strided = list(strided_loops(function.body, reader, variables))
    shared_out = [c for c in coordinates if _only_strided(c, strided, mentions, function, variables)]
    return _Plan(
        draft=draft,
        function=function,
        variables=variables,
        reader=reader,
        looped=[c for c in coordinates if c not in shared_out],
        strided=[s for s in strided if s.coordinate in shared_out],
        mentions=mentions,
        removed=removed,
    )


def _prints(draft: Draft) -> bool:
    """Tell whether each thread of a launch prints."""
    return "printf" in code(draft.text) and isinstance(draft.law, Unbounded)


def _only_strided(
    coordinate: Coordinate,
    strided: list[Strided],
    mentions: list[tuple[Node, Coordinate]],
    function: Function,
    variables: Variables,
) -> bool:
    """Tell whether grid-stride loops alone use a coordinate, and carry nothing from turn to turn."""
    loops = [s for s in strided if s.coordinate == coordinate]
    heads = [part for s in loops for part in (s.first, s.step)]
    heads += [s.variable.declaration for s in loops]
    if not loops or any(c == coordinate and not any(inside(n, h) for h in heads) for n, c in mentions):
        return False
    if any(not any(inside(e, s.loop) for s in loops) for e in effectful(function.body, variables)):
        return False
    return all(
        variable is s.variable or first_assignment(variable, s.loop) is not None
        for s in loops
        for variable in written_from_outside(s.loop, variables)
    )


@dataclass(slots=True)
class _Emission:
    """Puts the text of one plan together."""

    plan: _Plan
    rewriting: Rewriting = field(default_factory=Rewriting)
    extra: list[tuple[str, str]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    hoisted: list[Node] = field(default_factory=list)
    headers: set[str] = field(default_factory=set)
    names: dict[Coordinate, str] = field(default_factory=dict)

    def draft(self) -> Draft:
        """Return the draft with loops in the place of the launch."""
        plan = self.plan
        function = plan.function
        guards = Guards(plan.reader, plan.variables)
        guards.read(function.statements)
        self._drop_declarations()
        for coordinate in plan.looped:
            self._loop(coordinate, guards.bound(coordinate), guards.start(coordinate))
        self._rewrite_guards(
            {a.node.id for c in plan.looped for a in (*guards.bound(c), *guards.start(c))}, guards
        )
        self._name_mentions()
        self._share_out()
        self._replace_returns()
        text = assemble(function, [declaration for declaration, _ in self.extra], self._lines())
        draft = plan.draft.after("elementwise", text, *sorted(self.headers))
        return replace(
            draft, extra=tuple(self.extra), parallel=bool(plan.looped or plan.strided), placed=True
        )

    # -- loops

    def _loop(self, coordinate: Coordinate, atoms: list[Atom], starts: list[Atom]) -> None:
        """Choose the variable, the type and the bound of the loop over one coordinate."""
        plan = self.plan
        variable = next((v for v in plan.removed if plan.reader.formula(v) == coordinate), None)
        wishes = ("i", "index", "id") if len(plan.looped) == 1 else (coordinate.axis, f"i{coordinate.axis}")
        name = variable.name if variable is not None else free_name(self._taken(), *wishes)
        kind = unqualified(variable.type) if variable is not None else "int"
        kind = "int" if kind == "auto" else kind
        self.names[coordinate] = name
        sign, bound = self._bound(coordinate, atoms, kind)
        start = "0"
        if starts:
            start = source(starts[0].bound) + (" + 1" if starts[0].operator == ">" else "")
            start = "1" if start == "0 + 1" else start
        self.heads.append(f"for ({kind} {name} = {start}; {name} {sign} {bound}; ++{name})")

    def _bound(self, coordinate: Coordinate, atoms: list[Atom], kind: str) -> tuple[str, str]:
        law = self.plan.draft.law
        if atoms:
            self._hoist(atoms[0].bound)
        if isinstance(law, Covers | Invariant) and atoms:
            return atoms[0].operator, source(atoms[0].bound)
        if isinstance(law, Covers) and coordinate.label in ("global", "joint"):
            return "<", self._covered({"x": law.x, "y": law.y, "z": law.z}[coordinate.axis], kind)
        size = self._size(coordinate)
        if not atoms:
            return "<", size
        self.headers.add("<algorithm>")
        limit = source(atoms[0].bound) + (" + 1" if atoms[0].operator == "<=" else "")
        return "<", f"std::min<{kind}>({limit}, {size})"

    def _covered(self, count: str, kind: str) -> str:
        """Return the number of threads that a law asks for: none where an unsigned number would be many."""
        given = (item for item in self.plan.variables.all if item.parameter and item.name in names(count))
        unsigned = [item.name for item in given if _is_unsigned(item.type)]
        if "-" not in count or not (unsigned or _is_unsigned(kind)):
            return count
        self.headers.add("<algorithm>")
        for name in unsigned:
            count = re.sub(rf"\b{name}\b", f"(long long){name}", count)
        return f"std::max<long long>({count}, 0)" if unsigned else f"std::max({count}, 0)"

    def _size(self, coordinate: Coordinate) -> str:
        """Return the parameter that holds how many values a coordinate takes, adding it where needed."""
        value = coordinate.extent
        stated = self._stated(value)
        if stated is not None:
            return stated
        for declaration, known in self.extra:
            if known == value:
                return declaration.split()[-1]
        several = len(self.plan.looped) > 1
        wishes = {
            "block": ("blocks", "grid_size"),
            "thread": ("threads", "block_size"),
        }.get(
            coordinate.label,
            (f"n{coordinate.axis}", f"size_{coordinate.axis}") if several else ("n", "threads"),
        )
        name = free_name(self._taken(), *wishes)
        self.extra.append((f"int {name}", value))
        return name

    def _stated(self, value: str) -> str | None:
        """Return the parameter that the law says is worth so much of the launch."""
        law = self.plan.draft.law
        relations = law.relations if isinstance(law, ShapeDependent) else ()
        fixed = [v.name for v in self.plan.variables.all if v.parameter and v.constant]
        return next((name for name in fixed if f"{value} == {name}" in relations), None)

    def _taken(self) -> frozenset[str]:
        added = {declaration.split()[-1] for declaration, _ in self.extra}
        return self.plan.function.identifiers | added | set(self.names.values())

    def _hoist(self, bound: Node) -> None:
        """Put the declarations that a bound needs in front of the loops."""
        for variable in self.plan.variables.used_in(bound):
            if variable.parameter or variable.declaration in self.hoisted:
                continue
            assert variable.initializer is not None
            self._hoist(variable.initializer)
            self.hoisted.append(variable.declaration)

    # -- edits

    def _drop_declarations(self) -> None:
        function = self.plan.function
        for variable in self.plan.removed:
            declaration = variable.declaration
            self.rewriting.dropped.add(declaration.id)
            if declaration.parent is not None and declaration.parent.id != function.body.id:
                self.rewriting.edits.append(taken_out(function.text, declaration))

    def _rewrite_guards(self, consumed: set[int], guards: Guards) -> None:
        """Take the comparisons that became bounds out of their conditions."""
        statements = {a.statement.id: a.statement for _, atoms in guards.effects for a in atoms}
        for statement in statements.values():
            test = condition(statement)
            early = source(child_of(statement, "consequence")).strip("{} \n\t").startswith("return")
            connective = ("||", "|") if early else ("&&", "&")
            operands = list(parts(test, connective))
            left = [part for part in operands if part.id not in consumed]
            if len(left) == len(operands):
                continue
            if left:
                word = " || " if early else " && "
                texts = [apply_mentions(self, part) for part in left]
                bare = texts[0] if len(texts) > 1 else apply_mentions(self, unparenthesized(left[0]))
                self.rewriting.edits.append(put(test, word.join(texts) if len(texts) > 1 else bare))
            elif early:
                self.rewriting.dropped.add(statement.id)
            else:
                self.rewriting.unwrapped.add(statement.id)

    def _name_mentions(self) -> None:
        self.rewriting.edits += self.mention_edits()

    def mention_edits(self) -> list[Edit[str]]:
        """Return the edits that put loop variables and sizes in the place of the launch."""
        edits = []
        for node, coordinate in self.plan.mentions:
            if coordinate not in self.names:
                continue
            name = self.names[coordinate] if self.plan.reader.index(node) else self._size(coordinate)
            if source(node) != name:
                edits.append(put(node, name))
        return edits

    def _share_out(self) -> None:
        """Make grid-stride loops plain, the outermost ones parallel where nothing is around them."""
        plan = self.plan
        self._move_temporaries()
        for strided in plan.strided:
            self.rewriting.edits += plain_loop(plan.function.text, strided)
            if strided.loop.type == "while_statement" or not inside(
                strided.variable.declaration, strided.loop
            ):
                self.rewriting.dropped.add(strided.variable.declaration.id)
            outer = any(inside(strided.loop, other.loop) for other in plan.strided if other is not strided)
            if not outer and not plan.looped:
                self._parallel(strided)

    def _move_temporaries(self) -> None:
        """Declare what each turn of a grid-stride loop, or of several around it, gives a value first."""
        variables = self.plan.variables
        counters = {id(strided.variable) for strided in self.plan.strided}
        first = {
            id(variable): statement
            for strided in self.plan.strided
            for variable in written_from_outside(strided.loop, variables)
            if id(variable) not in counters
            and (statement := first_assignment(variable, strided.loop)) is not None
        }
        for variable in variables.all:
            if id(variable) in first:
                beside = (v for v in variables.all if v.declaration.id == variable.declaration.id)
                if all(id(other) in first for other in beside):
                    self.rewriting.dropped.add(variable.declaration.id)
                self.rewriting.edits.append(declare_at(variable, first[id(variable)]))

    def _parallel(self, strided: Strided) -> None:
        depth = _perfect_depth(strided, self.plan.strided)
        clause = f" collapse({depth})" if depth > 1 else ""
        if strided.loop.parent is not None and strided.loop.parent.id == self.plan.function.body.id:
            self.rewriting.before[strided.loop.id] = (PRAGMA + clause,)
        else:
            lead = "\n" + indentation(self.plan.function.text, strided.loop.start_byte)
            self.rewriting.edits.append(
                Edit(strided.loop.start_byte, strided.loop.start_byte, PRAGMA + clause + lead)
            )

    def _replace_returns(self) -> None:
        if not self.plan.looped:
            return
        body = self.plan.function.body
        for jump in outside_lambdas(body, "return_statement"):
            if (
                jump.parent is not None
                and jump.parent.id == body.id
                and jump.id == body.named_children[-1].id
            ):
                self.rewriting.dropped.add(jump.id)
                continue
            edit = return_to_continue(jump, body)
            if edit is None:
                refuse("TP205", jump, "a thread may return from inside a loop")
            self.rewriting.edits.append(edit)

    # -- text

    def _lines(self) -> list[str]:
        function = self.plan.function
        unit = indent_unit(function)
        outer = (
            indentation(function.text, function.body.end_byte - 1) if "\n" in source(function.body) else ""
        )
        indent = outer + unit
        held = {statement.id for statement in self.hoisted}
        before = [s for s in function.statements if s.id in held]
        lines = render(function, before, self.rewriting, indent)
        self.rewriting.dropped |= held
        if not self.heads:
            return lines + render(function, function.statements, self.rewriting, indent)
        depth = len(self.heads)
        lines.append(indent + PRAGMA + (f" collapse({depth})" if depth > 1 else ""))
        for level, head in enumerate(self.heads):
            lines.append(indent + unit * level + head + (" {" if level == depth - 1 else ""))
        lines += render(function, function.statements, self.rewriting, indent + unit * depth)
        lines.append(indent + unit * (depth - 1) + "}")
        return lines


def apply_mentions(emission: _Emission, node: Node) -> str:
    """Return the text of a condition with the launch replaced in it."""
    text = emission.plan.function.text
    return apply_outermost(text, emission.mention_edits(), node.start_byte, node.end_byte)


def _perfect_depth(strided: Strided, others: list[Strided]) -> int:
    body = child_of(strided.loop, "body")
    inner = [s for s in block_statements(body) if s.type != "comment"]
    if len(inner) != 1:
        return 1
    nested = next((s for s in others if s.loop.id == inner[0].id), None)
    return 1 if nested is None else 1 + _perfect_depth(nested, others)


def _is_unsigned(spelling: str) -> bool:
    return (normal(spelling) or "").startswith("unsigned")
