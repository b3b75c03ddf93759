"""Values of integer expressions in a loop nest: polynomials over its dimensions and fixed names.

A dimension that is divided, as in ``i / n`` and ``i % n``, becomes two, ``i = n * (i / n) + i % n``: so a
loop over all elements of a matrix is one over its rows and columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.polynomial import (
    INTEGER_TYPES,
    Monomial,
    Polynomial,
    add,
    combined,
    constant,
    multiply,
    name,
    names,
    number,
    ratio,
    spelled,
    substituted,
)
from transpile.code.syntax import (
    ancestors,
    field,
    find,
    inside,
    operator,
    source,
    subscript,
    unparenthesized,
)
from transpile.code.types import conversion
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.iteration.nests import SIGNED, Loop, written_names
from transpile.translators.loops.symbols.containers import measured, stays
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.index_arrays import IndexArray, base_of
from transpile.translators.loops.symbols.members import WHOLE, is_quiet, member
from transpile.translators.loops.symbols.types import exact, signed


@dataclass(frozen=True, slots=True)
class Load:
    """An element of an array of integers that a nest leaves as it is."""

    array: IndexArray
    place: Polynomial
    node: Node

    @property
    def kind(self) -> str:
        """Return its type."""
        return self.array.kind


_NOTHING: Mapping[str, IndexArray] = {}
STEPS = "/step"
"""Ends the name of the dimension that counts the steps of a loop."""
_DEPTH = 24
_KEPT = INTEGER_TYPES - {"short"}
"""Types that hold any number of iterations: one that is narrower keeps a part of what it is given."""
_WRAPPING = "unsigned"
_CASTS = ("cast_expression", "call_expression")


class Values:
    """Reads expressions that stand in a nest of loops."""

    def __init__(
        self,
        nest: Node,
        loops: Sequence[Loop],
        variables: Variables,
        around: EnclosingScope,
        kept: Mapping[str, IndexArray] = _NOTHING,
    ) -> None:
        """Read nothing yet.

        Args:
            nest: The outermost loop, or whatever holds the loops: what it does not write is fixed.
            loops: All counted loops in it.
            variables: Those of the function.
            around: What its names may stand for that it does not declare.
            kept: Arrays of integers that the nest leaves as they are: an element is a number of its own.
        """
        self._nest = nest
        self.around = around
        self._kept = kept
        self._written = written_names(nest, variables)
        self._loops: dict[int, list[Loop]] = {id(loop.variable): [] for loop in loops}
        for loop in loops:
            self._loops[id(loop.variable)].append(loop)
        self.variables = variables
        self.parts: dict[str, tuple[Polynomial, str, str]] = {}
        """Of each dimension that is divided: the divisor, and the dimensions of quotient and remainder."""
        self.loads: dict[str, Load] = {}
        """Elements of arrays that are kept, by the names that stand for them."""

    def of(self, node: Node) -> Polynomial | None:
        """Return the value of an expression where it stands; None where it is no such polynomial."""
        found = self._read(node, 0)
        return None if found is None else self.expanded(found)

    def end_of(self, loop: Loop, node: Node) -> Polynomial | None:
        """Return the first value of a loop, or its bound, where its variable may have that value."""
        found = self.of(node)
        return found if found is not None and self._fits(found, loop.variable.bare) else None

    def is_itself(self, node: Node) -> bool:
        """Tell whether a name is a number of its own, and not read as what the nest gives it."""
        variable = self.variables.of(node)
        if variable is None or id(variable) in self._loops:
            return True
        return self._is_fixed(variable)

    def _is_fixed(self, variable: Variable) -> bool:
        """Tell whether a variable is there before the nest, which leaves it alone."""
        written = any(inside(write, self._nest) for write in variable.writes)
        return not written and not inside(variable.declaration, self._nest)

    def member(self, node: Node) -> str:
        """Return the name of a member of a struct that is the same wherever the nest's own names are read."""
        known = inside(node, self._nest) and not self._was_named_before(node)
        settled = known or is_quiet(self.variables, self.around)
        return member(node, self.variables, self.around) if settled else ""

    def _was_named_before(self, node: Node) -> bool:
        """Tell whether a member goes by another name that was given before the nest began."""
        used = (self.variables.of(item) for item in find(node, "identifier"))
        return any(
            item is not None and not item.parameter and not inside(item.declaration, self._nest)
            for item in used
        )

    def pointer(self, node: Node) -> tuple[str, str]:
        """Return the name of a member that is a pointer, and what it leads to; nothing for others."""
        found = self.member(node)
        return (found, self.around.numbers.get(found, "")) if found in self.around.pointers else ("", "")

    def expanded(self, value: Polynomial) -> Polynomial:
        """Return a polynomial with every dimension that has been divided as its parts."""
        while divided := next((item for item in names(value) if item in self.parts), None):
            divisor, quotient, remainder = self.parts[divided]
            whole = add(multiply(divisor, name(quotient)), name(remainder))
            value = substituted(value, divided, whole)
        return value

    def dimensions(self, loop: Loop) -> tuple[str, ...]:
        """Return the dimensions of a loop: one, or the parts of one that is divided."""
        return tuple(sorted(names(self.expanded(name(loop.dimension))) & self.varying))

    @property
    def varying(self) -> frozenset[str]:
        """Return the names of all dimensions."""
        found = {part for loop in self._all() for part in (loop.dimension, loop.dimension + STEPS)}
        found = found.union(*({quotient, rest} for _, quotient, rest in self.parts.values()))
        for text, load in self.loads.items():  # what is in a subscript was read before it
            if names(load.place) & found:
                found.add(text)
        return frozenset(found)

    def _read(self, node: Node, depth: int) -> Polynomial | None:
        node = unparenthesized(node)
        if depth > _DEPTH:
            return None
        match node.type:
            case "number_literal":
                return number(source(node))
            case "identifier":
                return self._named(node, depth)
            case "cast_expression" | "call_expression" if (cast := conversion(node)) and cast[0] in _KEPT:
                return self._held(self._read(cast[1], depth + 1), cast[0])
            case "subscript_expression" if settled := self.around.element(source(node)):
                return name(settled)
            case "subscript_expression" if self._kept:
                return self._loaded(node, depth)
            case "unary_expression" if operator(node) in ("-", "+"):
                inner = self._read(field(node, "argument"), depth + 1)
                sign = -1 if operator(node) == "-" else 1
                return None if inner is None or self._wraps(inner) else multiply(constant(sign), inner)
            case "binary_expression":
                return self._binary(node, depth)
            case "call_expression":
                return self._length(node)
            case "field_expression":
                found = self.member(node)
                return name(found) if self.around.numbers.get(found) in WHOLE else None
            case _:
                return None

    def _binary(self, node: Node, depth: int) -> Polynomial | None:
        left = self._read(field(node, "left"), depth + 1)
        right = self._read(field(node, "right"), depth + 1)
        if left is None or right is None or self._wraps(left) or self._wraps(right):
            return None
        if operator(node) not in ("/", "%"):
            return combined(operator(node), left, right)
        if not self._fixed(right) or (_is_made(left) and self._may_wrap(field(node, "left"))):
            return None
        if self._loads_in(left) or self._loads_in(right):
            return None  # what is divided is not less than zero
        return self._divided(self.expanded(left), right, operator(node) == "/")

    def _may_wrap(self, node: Node) -> bool:
        """Tell whether an expression may be of unsigned numbers of 32 bits, and less than it says."""
        named = [item for item in find(node, "identifier") if source(item) not in self.around.constants]
        variables = (self.variables.of(item) for item in named)
        literals = (source(item) for item in find(node, "number_literal"))
        casts = (cast[0] for item in find(node, *_CASTS) if (cast := conversion(item)))
        return (
            any(item is None or item.bare == _WRAPPING for item in variables)
            or any(item[-1] in "uU" for item in literals)
            or _WRAPPING in casts
        )

    def _loaded(self, node: Node, depth: int) -> Polynomial | None:
        """Return an element of an array that is kept, as a name of its own."""
        array = self._kept.get(base_of(unparenthesized(field(node, "argument")), self.variables))
        if array is None:
            return None
        place = self._read(subscript(node), depth + 1)
        if place is None:
            return None
        text = f"{array.base}[{spelled(place)}]"
        self.loads.setdefault(text, Load(array, place, node))
        return name(text)

    def _held(self, value: Polynomial | None, kind: str) -> Polynomial | None:
        """Return a value as a variable of a type holds it; None where that may be another number."""
        return value if value is not None and self._fits(value, kind) else None

    def _fits(self, value: Polynomial, kind: str) -> bool:
        """Tell whether a type holds every number that elements in a value may be."""
        return all(exact(load.kind, kind) for load in self._loads_in(value))

    def _wraps(self, value: Polynomial) -> bool:
        """Tell whether an unsigned element is in a value, with which nothing is reckoned."""
        return not all(signed(load.kind) for load in self._loads_in(value))

    def _loads_in(self, value: Polynomial) -> list[Load]:
        return [self.loads[item] for item in names(value) if item in self.loads]

    def _length(self, call: Node) -> Polynomial | None:
        """Return the length of a container that keeps it in the nest, under the name that contracts have."""
        owner = measured(call, self.variables)
        if owner is None or inside(owner.declaration, self._nest) or not stays(owner, self._nest):
            return None
        return name(f"{outer_name(owner)}.size")

    def _fixed(self, value: Polynomial) -> bool:
        return bool(value) and not names(value) & self.varying and (set(value) != {()} or value[()] > 0)

    def _divided(self, value: Polynomial, divisor: Polynomial, quotient: bool) -> Polynomial | None:
        """Return a quotient or a remainder, of what is never negative."""
        multiple, rest = split(value, divisor)
        if not rest:
            return multiple if quotient else {}
        counting = next((loop for loop in self._all() if self._counts_steps(loop, value, divisor)), None)
        if counting is not None:
            return name(counting.dimension + STEPS) if quotient else {}
        known = next((parts for parts in self.parts.values() if name(parts[2]) == rest), None)
        if known is not None:
            return self._of_parts(multiple, rest, known, divisor, quotient)
        [dimension, *others] = names(rest) or [""]
        if multiple or others or rest != name(dimension) or dimension not in self.varying:
            return self._of_quotient(value, divisor, quotient)
        if not self._counts_from_zero(dimension):
            return None
        text = "*".join(sorted("*".join((*monomial, str(factor))) for monomial, factor in divisor.items()))
        parts = (divisor, f"{dimension}/{text}", f"{dimension}%{text}")
        self.parts[dimension] = parts
        return name(parts[1] if quotient else parts[2])

    def _of_parts(
        self,
        multiple: Polynomial,
        rest: Polynomial,
        known: tuple[Polynomial, str, str],
        divisor: Polynomial,
        quotient: bool,
    ) -> Polynomial | None:
        """Return a part of ``divisor * multiple + rest``, whose rest is a remainder by a divisor."""
        if known[0] != divisor:
            return None
        return multiple if quotient else rest

    def _of_quotient(self, value: Polynomial, divisor: Polynomial, quotient: bool) -> Polynomial | None:
        """Return a part of ``d * q + r`` by ``d * e``: that of ``q`` by ``e``."""
        for first, whole, remainder in self.parts.values():
            if value != add(multiply(first, name(whole)), name(remainder)):
                continue
            factor, rest = split(divisor, first)
            if rest or not factor:
                return None
            upper = self._divided(self.expanded(name(whole)), factor, quotient)
            if upper is None or quotient:
                return upper
            return add(multiply(first, upper), name(remainder))
        return None

    def _all(self) -> Iterator[Loop]:
        return (loop for group in self._loops.values() for loop in group)

    def _counts_steps(self, loop: Loop, value: Polynomial, divisor: Polynomial) -> bool:
        """Tell whether a quotient is the number of steps that a loop has made."""
        # Where a loop begins may be a remainder by its own step, so it is not looked at for each quotient.
        if loop.step < 2 or divisor != constant(loop.step) or loop.dimension not in names(value):
            return False
        first = self._read(loop.first, 0)
        return first is not None and value == add(name(loop.dimension), first, -1)

    def _counts_from_zero(self, dimension: str) -> bool:
        loop = next((item for item in self._all() if item.dimension == dimension), None)
        if loop is None:
            return True  # a part of one that does
        first = self._read(loop.first, 0)
        return loop.step == 1 and first is not None and set(first) <= {()} and first.get((), 0) >= 0

    def _named(self, node: Node, depth: int) -> Polynomial | None:
        variable = self.variables.of(node)
        if variable is None:
            return name(source(node)) if self.around.fixed(source(node), self._written) else None
        if variable.pointer or variable.array or variable.bare not in INTEGER_TYPES:
            return None
        for loop in self._loops.get(id(variable), []):
            if inside(node, loop.node) and not inside(node, loop.first):
                return name(loop.dimension)
        if variable.escapes:
            return None
        if variable.bare not in _KEPT and inside(variable.declaration, self._nest):
            return None
        if self._is_fixed(variable):
            return self._defined(variable, depth) or name(outer_name(variable))
        assigned = self._assigned(variable, node)
        return None if assigned is None else self._held(self._read(assigned, depth + 1), variable.bare)

    def given(self, node: Node) -> Node | None:
        """Return what the nest gives a whole number with a sign that it names; None for other expressions."""
        variable = self.variables.of(node) if node.type == "identifier" else None
        if variable is None or variable.bare not in SIGNED or id(variable) in self._loops:
            return None
        plain = not (variable.pointer or variable.array or variable.escapes or self.is_itself(node))
        return self._assigned(variable, node) if plain else None

    def _assigned(self, variable: Variable, use: Node) -> Node | None:
        """Return what a variable holds at a use in every run of it."""
        if not any(inside(write, self._nest) for write in variable.writes):
            return variable.initializer
        return only_value(variable, use, self._nest) if variable.bare in _KEPT else None

    def _defined(self, variable: Variable, depth: int) -> Polynomial | None:
        """Return what a constant of the function is made of, where all of that is constant, too."""
        value = variable.initializer
        if value is None or not variable.constant or variable.bare not in SIGNED:
            return None
        used = [self.variables.of(node) for node in find(value, "identifier")]
        if not all(item and item.constant and not item.pointer and not item.array for item in used):
            return None
        return self._read(value, depth + 1)


def only_value(variable: Variable, use: Node, nest: Node) -> Node | None:
    """Return what a variable holds at a use in every run of it: what its one assignment before gave it."""
    writes = [write for write in variable.writes if inside(write, nest)]
    if len(writes) != 1 or (variable.initializer is not None and inside(variable.declaration, nest)):
        return None
    [write] = writes
    if write.type != "assignment_expression" or operator(write) != "=" or write.start_byte > use.start_byte:
        return None
    statement = write.parent
    if statement is None or statement.type != "expression_statement" or inside(use, write):
        return None
    block = statement.parent
    shared = any(parent.id == block.id for parent in ancestors(use)) if block is not None else False
    return (
        field(write, "right") if shared and block is not None and block.type == "compound_statement" else None
    )


def outer_name(variable: Variable) -> str:
    """Return what a number is called in a nest that it is declared around."""
    return variable.name if variable.parameter else f"{variable.name}@{variable.declaration.start_byte}"


def _is_made(value: Polynomial) -> bool:
    """Tell whether a polynomial is a sum or a product, and not a number or a name."""
    return len(value) > 1 or any(monomial and factor != 1 for monomial, factor in value.items())


def split(value: Polynomial, divisor: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Return a polynomial as a multiple of a divisor of one term, and the rest; ({}, value) by others."""
    if len(divisor) != 1:
        return {}, value
    [(term, factor)] = divisor.items()
    multiple: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for monomial, amount in value.items():
        left = ratio(monomial, term)
        if left is None or amount % factor:
            rest[monomial] = amount
        else:
            multiple[left] = amount // factor
    return multiple, rest
