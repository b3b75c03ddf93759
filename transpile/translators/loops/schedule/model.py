"""A nest of loops as isl takes it: statements with their iterations, what they access, and when they run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from tree_sitter import Node

from transpile.code.polynomial import Monomial, Polynomial
from transpile.code.syntax import inside, source
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.analysis import Nest, by_rows
from transpile.translators.loops.iteration.nests import SIGNED, Loop
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.iteration.wrapping import WIDE, counts_alike, subtracts
from transpile.translators.loops.reductions.scalars import read_after
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.members import beside
from transpile.translators.loops.symbols.paths import in_c


class Unmodelled(Exception):
    """Something in the nest is no statement over affine iterations; the message names it."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a statement reads or writes: an array and an element of it; a scalar has no subscripts."""

    base: str
    subscripts: tuple[Polynomial, ...]
    reads: bool
    writes: bool


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One statement with the loops around it, outermost first."""

    name: str
    node: Node
    loops: tuple[Loop, ...]
    position: tuple[int, ...]
    """Where it stands in the nest, and in the body of each of its loops."""
    places: tuple[Place, ...]

    def spelled(self, text: str, target: str = "") -> str:
        """Return its iterations, or a relation of them to a target, under a condition."""
        dimensions = ", ".join(f"d{at}" for at in range(len(self.loops)))
        return f"{self.name}[{dimensions}]{' -> ' + target if target else ''}{' : ' + text if text else ''}"


@dataclass(slots=True)
class Parameters:
    """Products of what is fixed in a nest, by the names that isl has for them."""

    names: dict[Monomial, str] = field(default_factory=dict)

    def of(self, monomial: Monomial) -> str:
        """Return the name of a product."""
        return self.names.setdefault(monomial, f"p{len(self.names)}")

    def texts(self, around: EnclosingScope) -> dict[str, str]:
        """Return what stands for each name in C."""
        return {
            name: " * ".join(in_c(_plain(item), around.pointers) for item in monomial)
            for monomial, name in self.names.items()
        }


@dataclass(frozen=True, slots=True)
class Model:
    """What isl is told of a nest, in its notation."""

    nest: Node
    statements: tuple[Statement, ...]
    domain: str
    reads: str
    writes: str
    order: str
    """When the statements run in the source."""
    parameters: dict[str, str]
    """What stands in C for the names that are parameters there."""
    counter: str
    """The type of the loops' variables."""
    elements: dict[tuple[str, int], str]
    """Which elements each place of a statement is, by the statement's name."""
    bounds: dict[str, tuple[str, ...]]
    """Between what the variables of a statement's loops are."""
    unsigned: bool
    """They are, and so is all that bounds them."""
    wrapping: tuple[str, ...]
    """Iterations that meet a bound which would be less than nothing."""
    prefix: str
    """The names of the parameters, as isl wants them ahead of a set."""

    @property
    def known(self) -> str:
        """Return what holds of the parameters."""
        least = " and ".join(f"{name} >= 0" for name in self.parameters) if self.unsigned else ""
        return f"{self.prefix}{{ : {least} }}"

    def touched(self, statement: Statement, place: Place) -> str:
        """Return which elements one of a statement's places is."""
        number = next(at for at, item in enumerate(statement.places) if item is place)
        return self.elements[statement.name, number]


def model(nest: Nest, variables: Variables) -> Model:
    """Return a nest for isl; raises Unmodelled."""
    if nest.dependences is None or not nest.loops:
        raise Unmodelled(nest.reason or "it has no counted loop")
    values = nest.dependences.values  # no other reader knows what is divided in its subscripts
    for known in nest.loops:
        if not known.loop.own_variable and read_after(known.loop.variable, nest.node):
            raise Unmodelled(f"`{known.loop.variable.name}` is read when the loops have ended")
    places = _Places(nest, variables, values)
    loops = {known.loop.node.id: known.loop for known in nest.loops}
    statements = tuple(_statements(nest.node, loops, (), (0,), places, count(1)))
    if not statements:
        raise Unmodelled("nothing is done in it")
    _same_subscripts(statements)
    parameters = Parameters()
    writer = _Writer(statements, values, parameters)
    texts = (writer.domain(), writer.accesses(reads=True), writer.accesses(reads=False), writer.order())
    unsigned = _are_unsigned(nest, values)
    wrapping = tuple(writer.wrapping()) if unsigned else ()
    bounds = {statement.name: tuple(writer.bounds(statement)) for statement in statements}
    prefix = f"[{', '.join(parameters.names.values())}] -> " if parameters.names else ""
    domain, reads, writes, order = (prefix + text for text in texts)
    elements = {place: prefix + text for place, text in writer.elements()}
    return Model(
        nest=nest.node,
        statements=statements,
        domain=domain,
        reads=reads,
        writes=writes,
        order=order,
        parameters=parameters.texts(values.around),
        counter=nest.loops[0].loop.variable.type,
        elements=elements,
        bounds=bounds,
        unsigned=unsigned,
        wrapping=tuple(prefix + text for text in wrapping),
        prefix=prefix,
    )


def _are_unsigned(nest: Nest, values: Values) -> bool:
    """Tell whether loops count in unsigned numbers; raises Unmodelled where they count in several types."""
    loops = [known.loop for known in nest.loops]
    if len({loop.variable.type for loop in loops}) > 1:
        raise Unmodelled("loops' variables of several types")
    if loops[0].variable.bare in SIGNED:
        return False
    if loops[0].variable.bare not in WIDE:
        raise Unmodelled("loops' variables that are no plain integers, or that blocks may make wrap")
    if not all(loop.step > 0 and counts_alike(loop, values) for loop in loops):
        raise Unmodelled("bounds in which unsigned numbers may wrap")
    return True


def _statements(
    node: Node,
    loops: dict[int, Loop],
    around: tuple[Loop, ...],
    position: tuple[int, ...],
    places: _Places,
    numbers: Iterator[int],
) -> Iterator[Statement]:
    match node.type:
        case "compound_statement":
            for at, child in enumerate(node.named_children):
                yield from _statements(child, loops, around, (*position[:-1], at), places, numbers)
        case "for_statement" if node.id in loops:
            loop = loops[node.id]
            yield from _statements(loop.body, loops, (*around, loop), (*position, 0), places, numbers)
        case "expression_statement":
            yield Statement(f"S{next(numbers)}", node, around, position, tuple(places.of(node, around)))
        case "comment":
            return
        case _:
            raise Unmodelled(f"`{source(node)[:40]}`, which is no plain statement")


class _Places:
    """What the statements of a nest access."""

    def __init__(self, nest: Nest, variables: Variables, values: Values) -> None:
        self._nest = nest
        self._values = values
        counters = {id(known.loop.variable) for known in nest.loops}
        used = list(variables.used_in(nest.node))
        self._counters = [variable for variable in used if id(variable) in counters]
        self._scalars = [
            (variable, written)
            for variable in used
            if id(variable) not in counters and not variable.pointer and not variable.array
            if (written := [node for node in variable.writes if inside(node, nest.node)])
        ]

    def of(self, statement: Node, around: Sequence[Loop]) -> Iterator[Place]:
        """Yield what a statement accesses in some loops; raises Unmodelled."""
        if any(beside(statement, self._values.variables, self._values.around, "field_expression")):
            raise Unmodelled("a member of a struct")
        for variable in self._counters:
            if _stands(variable.uses, statement) and all(loop.variable is not variable for loop in around):
                raise Unmodelled(f"`{variable.name}` is read when its loop has ended")
        for access in by_rows(self._nest):
            again = access.update and not access.write  # the update says so itself
            if inside(access.node, statement) and not again:
                subscripts = tuple(item for item in access.subscripts if item is not None)
                if len(subscripts) != len(access.subscripts):
                    raise Unmodelled(f"a subscript of `{_plain(access.base)}`")
                reads = not access.write or bool(access.update)
                yield Place(access.base, subscripts, reads, access.write)
        for variable, written in self._scalars:
            if _stands(variable.uses, statement):
                base = f"{variable.name}@{variable.declaration.start_byte}"
                yield Place(base, (), reads=True, writes=_stands(written, statement))


def _stands(nodes: Sequence[Node], statement: Node) -> bool:
    return any(inside(node, statement) for node in nodes)


def _plain(name: str) -> str:
    """Return what the source calls something whose name tells its declaration apart."""
    plain = name.partition("@")[0]
    return f"{plain}()" if plain.endswith(".size") else plain


def _same_subscripts(statements: Sequence[Statement]) -> None:
    lengths: dict[str, set[int]] = {}
    for statement in statements:
        for place in statement.places:
            lengths.setdefault(place.base, set()).add(len(place.subscripts))
    for base, found in lengths.items():
        if len(found) > 1:
            raise Unmodelled(f"`{_plain(base)}` has several numbers of subscripts")


@dataclass(frozen=True, slots=True)
class _Writer:
    statements: Sequence[Statement]
    values: Values
    parameters: Parameters

    def domain(self) -> str:
        return self._union(
            statement.spelled(" and ".join(self.bounds(statement))) for statement in self.statements
        )

    def accesses(self, *, reads: bool) -> str:
        return self._union(
            statement.spelled("", self._element(place, statement))
            for statement in self.statements
            for place in statement.places
            if (place.reads if reads else place.writes)
        )

    def elements(self) -> Iterator[tuple[tuple[str, int], str]]:
        for statement in self.statements:
            for number, place in enumerate(statement.places):
                text = statement.spelled("", self._element(place, statement))
                yield (statement.name, number), f"{{ {text} }}"

    def order(self) -> str:
        depth = max(len(statement.loops) for statement in self.statements)
        return self._union(
            statement.spelled("", f"[{', '.join(self._times(statement, depth))}]")
            for statement in self.statements
        )

    def _element(self, place: Place, statement: Statement) -> str:
        base = place.base.replace("@", "_at_").replace("::", "__").replace(".", "_of_")
        return f"{base}[{', '.join(self._affine(item, statement) for item in place.subscripts)}]"

    @staticmethod
    def _times(statement: Statement, depth: int) -> Iterator[str]:
        loops = statement.loops
        for at in range(depth):
            yield str(statement.position[at]) if at < len(statement.position) else "0"
            yield f"{'-' * (loops[at].step < 0)}d{at}" if at < len(loops) else "0"
        yield str(statement.position[depth]) if depth < len(statement.position) else "0"

    @staticmethod
    def _union(parts: Iterator[str]) -> str:
        return "{ " + "; ".join(dict.fromkeys(parts)) + " }"

    def bounds(self, statement: Statement) -> Iterator[str]:
        for at, loop in enumerate(statement.loops):
            first, bound = self.values.of(loop.first), self.values.of(loop.bound)
            if first is None or bound is None:
                raise Unmodelled(f"the bounds of `{loop.variable.name}`")
            begin, end = self._affine(first, statement), self._affine(bound, statement)
            sign = ("<" if loop.step > 0 else ">") + "=" * loop.inclusive
            inside = f"d{at} {'>=' if loop.step > 0 else '<='} {begin} and d{at} {sign} {end}"
            yield (
                inside
                if abs(loop.step) == 1
                else f"{inside} and (d{at} - ({begin})) mod {abs(loop.step)} = 0"
            )

    def wrapping(self) -> Iterator[str]:
        """Yield the iterations of the loops around each one whose bounds are less than nothing."""
        for statement in self.statements:
            around = list(self.bounds(statement))
            for at, loop in enumerate(statement.loops):
                for value in (self.values.of(loop.first), self.values.of(loop.bound)):
                    if value is not None and subtracts(value):
                        less = f"{self._affine(value, statement)} < 0"
                        yield f"{{ {statement.spelled(' and '.join((*around[:at], less)))} }}"

    def _affine(self, value: Polynomial, statement: Statement) -> str:
        own = {loop.dimension: f"d{at}" for at, loop in enumerate(statement.loops)}
        terms = []
        for monomial, factor in sorted(value.items()):
            varying = [item for item in monomial if item in own or item in self.values.varying]
            if not monomial:
                terms.append(f"{factor}")
            elif not varying:
                terms.append(f"{factor} {self.parameters.of(monomial)}")
            elif len(monomial) == 1 and monomial[0] in own:
                terms.append(f"{factor} {own[monomial[0]]}")
            else:
                raise Unmodelled(f"`{' * '.join(map(_plain, monomial))}`")
        return " + ".join(terms) or "0"
