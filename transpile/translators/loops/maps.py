"""What a device holds of the arrays that parallel loops touch: clauses ``map`` of OpenMP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tree_sitter import Node

from transpile.core import Contract, Origin
from transpile.expressions import names, parse
from transpile.translators.loops.accesses import Access
from transpile.translators.loops.coverage import covers
from transpile.translators.loops.extents import polynomial
from transpile.translators.loops.overlaps import (
    Array,
    Unbounded,
    array,
    changed,
    condition,
    outlives,
    touched,
)
from transpile.translators.loops.plan import Band
from transpile.translators.rules.syntax import inside, operator, unparenthesized
from transpile.translators.rules.variables import Variable, Variables

_WAYS = ("to", "from", "tofrom")
_ASKS = ("==", "!=", "&&", "||")


@dataclass(frozen=True, slots=True)
class Maps:
    """What a function's device holds, by what is known of its arrays."""

    contract: Contract
    variables: Variables

    def clauses(self, bands: Sequence[Band], *, scalars: bool = True) -> list[str]:
        """Return the clauses of one region around these bands; raises Unbounded.

        Args:
            bands: What runs on the device, in the order of the text.
            scalars: With those that are gathered.
        """
        ways: dict[str, list[str]] = {way: [] for way in _WAYS}
        for name, accesses in self._by_array(bands).items():
            ways[self._way(name, bands)].append(self._item(accesses[0]))
        if scalars:
            ways["tofrom"] += [item.variable.name for band in bands for item in band.loops[0].reductions]
        return [f"map({way}: {', '.join(items)})" for way, items in ways.items() if items]

    def apart(self, bands: Sequence[Band]) -> Iterator[str]:
        """Yield when what one region holds lies apart; raises Unbounded.

        What is only read must not overlap either: a device would hold it twice. ``restrict`` is a promise
        about elements that are touched, and no others.
        """
        found = self._by_array(bands)
        arrays = {name: self._array(name) for name, accesses in found.items() if outlives(accesses[0])}
        for one, other in combinations(arrays.values(), 2):
            written = any(access.write for item in (one, other) for access in found[item.name])
            promised = (one.restrict or other.restrict) and written
            if self._named(one.name) and self._named(other.name):
                continue
            if not (promised and self._whole(one.name, bands) and self._whole(other.name, bands)):
                yield condition(one, other)

    def refuse(self, band: Band) -> None:
        """Raise Unbounded where a band uses a pointer that leads nowhere on a device."""
        bases = self._by_array([band])
        for variable in self.variables.used_in(band.node):
            if not variable.pointer or inside(variable.declaration, band.node):
                continue
            if not variable.parameter or variable.name not in bases:
                raise Unbounded(f"`{variable.name}` leads into memory of the host")
            if any(_asked(use) for use in variable.uses if inside(use, band.node)):
                raise Unbounded(f"`{variable.name}` may lead nowhere")

    def _by_array(self, bands: Sequence[Band]) -> dict[str, list[Access]]:
        """Return the accesses of bands to what is declared around them."""
        found: dict[str, list[Access]] = {}
        for band in bands:
            for access in touched(band):
                if access.variable is None or not inside(access.variable.declaration, band.node):
                    found.setdefault(access.base, []).append(access)
        return found

    def _item(self, access: Access) -> str:
        """Return an array as an item of a clause; raises Unbounded."""
        variable = access.variable
        if variable is not None and not variable.parameter:
            return _own(variable)
        if self._named(access.base):
            return access.base
        length, fact = self._array(access.base).length, self.contract.array(access.base)
        if not length or fact is None or fact.origin is Origin.BOUND:
            raise Unbounded(f"the length of `{access.base}` is not known")
        return f"{access.base}[0:{length if self._never_negative(access.base) else _or_nothing(length)}]"

    def _named(self, name: str) -> bool:
        """Tell whether an array is one at file scope, which has its length by itself."""
        return any(item.name == name and item.lengths for item in self.contract.signature.globals)

    def _array(self, name: str) -> Array:
        return array(name, self.contract, changed(self.variables))

    def _never_negative(self, name: str) -> bool:
        """Tell whether a length is a sum of products of what is not negative."""
        fact = self.contract.array(name)
        terms = polynomial(parse(fact.extent)) if fact is not None else None
        if fact is None or terms is None or any(number < 0 for number in terms.values()):
            return False
        scalars = [self.contract.scalar(item) for item in names(fact.extent)]
        return all(item is not None and item.values.low.isdigit() for item in scalars)

    def _way(self, name: str, bands: Sequence[Band]) -> str:
        """Return which way an array is copied: back alone only where all of it is made there."""
        accesses = self._by_array(bands)[name]
        if not any(access.write for access in accesses):
            return "to"
        first = next(band for band in bands if any(item.base == name for item in touched(band)))
        own = [access for access in touched(first) if access.base == name]
        read = any(access.update or not access.write for access in own)
        always = len(bands) == 1 or first.node.id == first.nest.node.id
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


def _own(variable: Variable) -> str:
    if not variable.array:
        raise Unbounded(f"the length of `{variable.name}` is not known")
    return variable.name


def _or_nothing(length: str) -> str:
    return f"{length} > 0 ? {length} : 0"


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
