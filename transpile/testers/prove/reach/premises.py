"""Facts of every valid call: least values of numbers, ranges of elements, arrays that there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from transpile.core import Contract, Role, ShapeDependent
from transpile.testers.prove.premises import lows_of, multiples_of
from transpile.testers.prove.reach.shapes import Launched, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Premises:
    """Facts about the parameters of a function; none of a function that the candidate itself calls."""

    least: Mapping[str, int] = field(default_factory=dict)
    multiples: Mapping[str, int] = field(default_factory=dict)
    """What parameters are multiples of."""
    arrays: frozenset[str] = frozenset()
    """Pointers that are never null."""
    elements: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Least and greatest elements of arrays that nobody writes to, as expressions."""

    relations: tuple[str, ...] = ()
    """Relations between parameters, and between them and the launch that some of them stand for."""
    names: tuple[str, ...] | None = None
    """The parameters in order, as the contract names them; None where they are named as in the text."""
    few: bool = False
    """No axis of a launch has 2^31 threads."""
    launch: Shape = field(default_factory=dict)
    """Numbers of blocks and threads of a kernel, as constants or expressions of its parameters."""

    def of_kernel(self, launched: Launched, parameters: Mapping[str, str]) -> Premises:
        """Return what holds of a kernel that a function with these premises launches.

        Args:
            launched: What holds of its launches.
            parameters: Those of the function, by their keys, as the premises name them.
        """
        least = {
            name: self.least[parameters[key]]
            for name, key in launched.passed.items()
            if parameters.get(key) in self.least
        }
        return Premises(least=least, launch=launched.shape)

    @classmethod
    def of(cls, contract: Contract, names: tuple[str, ...]) -> Premises:
        """Return what a contract says of the function that stands in for its source.

        Args:
            contract: Of the source.
            names: What is passed to the function, in order.
        """
        written = {item.extent for item in contract.arrays if item.role in (Role.OUT, Role.INOUT)}
        # An input may be an output of the same extent: what stands there then, nobody says.
        read = [item for item in contract.arrays if item.role is Role.IN and item.extent not in written]
        law = contract.law.relations if isinstance(contract.law, ShapeDependent) else ()
        return cls(
            names=names,
            least=dict(lows_of(contract)),
            multiples=multiples_of(contract),
            relations=(*contract.relations, *law),
            arrays=frozenset(item.name for item in contract.signature.parameters if item.pointer),
            elements={item.name: (item.values.low, item.values.high) for item in read if item.values},
        )
