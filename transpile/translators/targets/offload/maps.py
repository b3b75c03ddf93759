"""Arrays that a device holds for parallel loops: ``map`` clauses of OpenMP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, prod

from tree_sitter import Node

from transpile.code.names import free_name
from transpile.code.polynomial import Polynomial
from transpile.code.syntax import inside, operator, unparenthesized
from transpile.code.variables import Variable, Variables
from transpile.core import Contract, Origin
from transpile.expressions import ExpressionError, parse
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.planning.overlaps import Array, all_of, array, changed, outlives, touched
from transpile.translators.loops.symbols.containers import elements
from transpile.translators.loops.symbols.extents import WIDE, polynomial, spelled
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.offload.coverage import covers

_WAYS = ("to", "from", "tofrom")
_ASKS = ("==", "!=", "&&", "||")


@dataclass(frozen=True, slots=True)
class Maps:
    """What a function's device holds, by what is known of its arrays."""

    contract: Contract
    variables: Variables
    taken: frozenset[str]
    """Identifiers of the function."""

    def of(self, band: Band) -> list[str]:
        """Return the clauses of a band, with the scalars that it gathers; raises Refused."""
        return self._clauses([band], [item.variable.name for item in band.loops[0].reductions])

    def around(self, bands: Sequence[Band]) -> list[str]:
        """Return the clauses of a region around the nests of these bands, in the order of the text."""
        return self._clauses(bands, [], around=True)

    def _clauses(self, bands: Sequence[Band], scalars: Sequence[str], *, around: bool = False) -> list[str]:
        ways: dict[str, list[str]] = {way: [] for way in _WAYS}
        for name, accesses in self._by_array(bands).items():
            ways[self._way(name, bands, around=around)].append(self._item(accesses))
        ways["tofrom"] += scalars
        return [f"map({way}: {', '.join(items)})" for way, items in ways.items() if items]

    def lengths(self, bands: Sequence[Band]) -> list[str]:
        """Return the declarations of lengths that may come out below 0, as no section of an array may."""
        found = [name for name in self._by_array(bands) if not self._named(name) and not self._plain(name)]
        known = [(name, length) for name in found if (length := self._size(name))]
        return [
            f"const long long {self._length(name)} = {length} > 0 ? {length} : 0;" for name, length in known
        ]

    def apart(self, bands: Sequence[Band]) -> list[str]:
        """Return when what one region holds lies apart; raises Refused.

        What is only read must not overlap either: a device would hold it twice. ``restrict`` is a promise
        about elements that are touched, and no others.
        """
        return all_of(self._pairs(bands))

    def _pairs(self, bands: Sequence[Band]) -> Iterator[tuple[Array, Array]]:
        found = self._by_array(bands)
        arrays = {name: self._array(name) for name, accesses in found.items() if outlives(accesses[0])}
        for one, other in combinations(arrays.values(), 2):
            written = any(access.write for item in (one, other) for access in found[item.name])
            promised = (one.restrict or other.restrict) and written
            if self._named(one.name) and self._named(other.name):
                continue
            if not (promised and self._whole(one.name, bands) and self._whole(other.name, bands)):
                yield one, other

    def refuse(self, band: Band) -> None:
        """Raise Refused where a band uses a pointer that leads nowhere on a device."""
        bases = self._by_array([band])
        for name, [access, *_] in bases.items():
            if access.followed:
                raise Refused(SEQUENTIAL, f"`{name}`, a member of a struct or rows, points into host memory")
        for variable in self.variables.used_in(band.node):
            if elements(variable) is not None and not inside(variable.declaration, band.node):
                raise Refused(SEQUENTIAL, f"`{variable.name}` is a host container")
            if not variable.pointer or inside(variable.declaration, band.node):
                continue
            if not variable.parameter or variable.name not in bases:
                raise Refused(SEQUENTIAL, f"`{variable.name}` points into host memory")
            if any(_asked(use) for use in variable.uses if inside(use, band.node)):
                raise Refused(SEQUENTIAL, f"`{variable.name}` may be null")

    def _by_array(self, bands: Sequence[Band]) -> dict[str, list[Access]]:
        """Return the accesses of bands to what is declared around them."""
        found: dict[str, list[Access]] = {}
        for band in bands:
            for access in touched(band):
                if access.variable is None or not inside(access.variable.declaration, band.node):
                    found.setdefault(access.base, []).append(access)
        return found

    def _item(self, accesses: Sequence[Access]) -> str:
        """Return an array as an item of a clause; raises Refused."""
        name, variable = accesses[0].base, accesses[0].variable
        if variable is not None and not variable.parameter:
            return _own(variable)
        if self._named(name):
            return name
        if self._array(name).flat:
            raise Refused(SEQUENTIAL, f"`{name}` has rows whose length is not a constant")
        length, fact = self._size(name), self.contract.array(name)
        if fact is not None and not fact.extent:
            raise Refused(
                SEQUENTIAL, f"the length of `{name}` depends on data: state its `extents` if it is fixed"
            )
        if not length or fact is None or fact.origin is Origin.BOUND:
            raise Refused(SEQUENTIAL, f"the length of `{name}` is not known")
        return f"{name}[0:{length if self._plain(name) else self._length(name)}]"

    def _size(self, name: str) -> str:
        """Return how many elements or rows a device holds; of no row that the source does not begin."""
        known = self._array(name)
        length = _wide(known.length)
        if not known.begun or self._least(_polynomial(known.begun)) >= 1:
            return length
        return f"{WIDE * length.isidentifier()}{length} - ({_wide(known.begun)} < 1)"

    def _length(self, name: str) -> str:
        return free_name(self.taken, f"{name}_length")

    def _named(self, name: str) -> bool:
        """Tell whether an array is one at file scope, which has its length by itself."""
        return any(item.name == name and item.lengths for item in self.contract.signature.globals)

    def _array(self, name: str) -> Array:
        return array(name, self.contract, changed(self.variables, self.contract))

    def _plain(self, name: str) -> bool:
        """Tell whether a length is none below 0."""
        return self._least(_polynomial(self._size(name))) >= 0

    def _least(self, terms: Polynomial) -> float:
        """Return the least value of what grows with its scalars; minus infinity of what is not known to."""
        scalars = [item for item in self.contract.scalars if item.values.low.isdigit()]
        lows = {item.name: int(item.values.low) for item in scalars}
        known = {item for term in terms for item in term} <= set(lows)
        if not terms or not known or any(number < 0 for term, number in terms.items() if term):
            return -inf
        return sum(number * prod(lows[item] for item in term) for term, number in terms.items())

    def _way(self, name: str, bands: Sequence[Band], *, around: bool) -> str:
        """Return which way an array is copied: back alone only where all of it is made there."""
        accesses = self._by_array(bands)[name]
        if not any(access.write for access in accesses):
            return "to"
        first = next(band for band in bands if any(item.base == name for item in touched(band)))
        own = [access for access in touched(first) if access.base == name]
        read = any(access.update or not access.write for access in own)
        always = not around or first.node.id == first.nest.node.id
        return "from" if always and not read and self._covered(name, first) else "tofrom"

    def _whole(self, name: str, bands: Sequence[Band]) -> bool:
        """Tell whether every element is touched wherever the array is held."""
        return any(band.node.id == band.nest.node.id and self._covered(name, band) for band in bands)

    def _covered(self, name: str, band: Band) -> bool:
        fact = self.contract.array(name)
        return fact is not None and any(
            access.base == name and covers(access, band, fact.extent, self.variables)
            for access in touched(band)
        )


def _wide(length: str) -> str:
    """Return a length of 64 bits: no unsigned one wraps."""
    return spelled(length.replace(WIDE, "")) if _polynomial(length) else length


def _polynomial(length: str) -> Polynomial:
    """Return a length as a polynomial; that of nothing where it is none."""
    try:
        return polynomial(parse(length.replace(WIDE, ""))) or {}
    except ExpressionError:
        return {}


def _own(variable: Variable) -> str:
    if not variable.array:
        raise Refused(SEQUENTIAL, f"the length of `{variable.name}` is not known")
    return variable.name


def _asked(use: Node) -> bool:
    """Tell whether a pointer is compared, and not gone along."""
    parent = use.parent
    while parent is not None and parent.type == "parenthesized_expression":
        use, parent = parent, parent.parent
    if parent is None or parent.type in ("if_statement", "while_statement", "condition_clause"):
        return True
    if parent.type == "conditional_expression":
        return unparenthesized(parent.named_children[0]).id == unparenthesized(use).id
    return (parent.type == "binary_expression" and operator(parent) in _ASKS) or (
        parent.type == "unary_expression" and operator(parent) == "!"
    )
