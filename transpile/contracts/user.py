"""Contracts as a user writes them: the ``[units."…"]`` tables of ``transpile.toml``.

What was inferred is rendered in exactly the form that is read back, so that it can be corrected and kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Literal, TypeVar

from pydantic import ConfigDict, Field

from transpile.core import (
    ArrayFact,
    Contract,
    Covers,
    LaunchLaw,
    NumberRules,
    Origin,
    Range,
    Role,
    ScalarFact,
    ShapeDependent,
    Signature,
    Tolerance,
    Unit,
    array_of,
)
from transpile.expressions import parse

Expression = str | int
Word = TypeVar("Word", bound=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSettings:
    """Corrections of one unit; what is absent stays as it was inferred."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    extents: Mapping[str, Expression] = field(default_factory=dict)
    """Elements behind a pointer, by parameter."""
    before: Mapping[str, Expression] = field(default_factory=dict)
    """Elements below a pointer."""
    roles: Mapping[str, Role] = field(default_factory=dict)
    ranges: Mapping[str, tuple[Expression, Expression]] = field(default_factory=dict)
    """Lowest and highest value of a scalar, or of the elements of an integer array."""
    multiples: Mapping[str, Expression] = field(default_factory=dict)
    """What a scalar must be a multiple of."""
    sizes: tuple[str, ...] | None = None
    """Scalars that extents, the launch or the control flow depend on."""
    distinct: tuple[str, ...] | None = None
    """Arrays whose elements must be pairwise different."""
    ascending: tuple[str, ...] | None = None
    """Arrays whose elements must not decrease."""
    last: Mapping[str, Expression] = field(default_factory=dict)
    """What the last element of an array is."""
    atomic: tuple[str, ...] | None = None
    """Arrays that are updated by atomics."""
    relations: tuple[str, ...] | None = None
    """Preconditions between scalars."""
    law: Annotated[LaunchLaw, Field(discriminator="kind")] | None = None
    launches: tuple[tuple[str, ...], ...] | None = None
    """Grid x, y, z, block x, y, z and shared bytes, as expressions."""
    tolerance: Tolerance | None = None
    """Largest error of floating results, ``{ relative = …, absolute = … }``, instead of the measured one."""
    nan: Literal["class", "bits", "never"] | None = None
    """Whether any NaN stands for any other; or that no input is NaN or infinite."""
    signed_zero: Literal["equal", "distinct"] | None = None
    target_name: str | None = None
    """Name of the function in the port."""

    def __post_init__(self) -> None:
        """Refuse what is not an expression."""
        for text in self._expressions():
            parse(str(text))
        for launch in self.launches or ():
            if len(launch) != 7:
                raise ValueError(f"a launch has 7 parts (grid, block, shared bytes), not {len(launch)}")

    def _expressions(self) -> Iterator[Expression]:
        for table in (self.extents, self.before, self.multiples, self.last):
            yield from table.values()
        for low, high in self.ranges.values():
            yield from (low, high)
        yield from self.relations or ()
        for launch in self.launches or ():
            yield from launch
        match self.law:
            case Covers(x=x, y=y, z=z):
                yield from (x, y, z)
            case ShapeDependent(relations=relations, launches=launches):
                yield from relations
                for launch in launches:
                    yield from launch
            case _:
                pass


def settings_for(
    corrections: Mapping[str, UnitSettings], unit: Unit, signature: Signature
) -> UnitSettings | None:
    """Return the corrections of an instantiation: by its own name, else its unit's id, else its name."""
    for key in (signature.callable, unit.id, unit.name):
        if key in corrections:
            return corrections[key]
    return None


def stated_by(settings: UnitSettings | None) -> ShapeDependent | None:
    """Return the law where the settings say which launches there are, so that none are looked for."""
    law = settings.law if settings is not None else None
    return law if isinstance(law, ShapeDependent) and law.launches else None


def apply(contract: Contract, settings: UnitSettings) -> Contract:
    """Return the contract with the user's word over what was inferred."""
    return replace(
        contract,
        arrays=tuple(_corrected_array(fact, settings) for fact in contract.arrays),
        scalars=tuple(_corrected_scalar(fact, settings) for fact in contract.scalars),
        law=_law(contract, settings),
        relations=contract.relations if settings.relations is None else settings.relations,
        relations_from=contract.relations_from if settings.relations is None else Origin.USER,
        launches=contract.launches if settings.launches is None else settings.launches,
        numbers=NumberRules(
            nan=settings.nan or contract.numbers.nan,
            signed_zero=settings.signed_zero or contract.numbers.signed_zero,
            tolerance=settings.tolerance or contract.numbers.tolerance,
        ),
    )


def _law(contract: Contract, settings: UnitSettings) -> LaunchLaw | None:
    """Return the user's law, with the relations that were added where it states launches alone."""
    match settings.law, contract.law:
        case ShapeDependent(relations=(), launches=stated), ShapeDependent(launches=known) if stated == known:
            return contract.law
    return settings.law or contract.law


def unknown_names(contract: Contract, settings: UnitSettings) -> tuple[str, ...]:
    """Return the names in the settings that the contract has no array or scalar for."""
    arrays = {fact.name for fact in contract.arrays}
    scalars = {fact.name for fact in contract.scalars}
    mentioned = [*settings.extents, *settings.before, *settings.roles, *settings.last]
    mentioned += [*(settings.distinct or ()), *(settings.ascending or ()), *(settings.atomic or ())]
    unknown = [name for name in mentioned if name not in arrays]
    unknown += [name for name in (*settings.multiples, *(settings.sizes or ())) if name not in scalars]
    unknown += [name for name in settings.ranges if name not in arrays | scalars]
    return tuple(dict.fromkeys(unknown))


def _corrected_array(fact: ArrayFact, settings: UnitSettings) -> ArrayFact:
    changed = replace(
        fact,
        role=settings.roles.get(fact.name, fact.role),
        extent=str(settings.extents.get(fact.name, fact.extent)),
        before=str(settings.before.get(fact.name, fact.before)),
        values=_range(settings, fact.name, fact.values),
        distinct=_member(settings.distinct, fact.name, fact.distinct),
        ascending=_member(settings.ascending, fact.name, fact.ascending),
        last=str(settings.last.get(fact.name, fact.last)),
        atomic=_member(settings.atomic, fact.name, fact.atomic),
    )
    found = fact if changed == fact else replace(changed, origin=Origin.USER)
    return replace(found, stated=fact.name in settings.extents)


def _corrected_scalar(fact: ScalarFact, settings: UnitSettings) -> ScalarFact:
    if array_of(fact.name):
        stated = settings.ranges.get(array_of(fact.name))
        ends = Range(low=str(stated[1]), high=str(stated[1])) if stated is not None else fact.values
        return replace(fact, values=ends)
    changed = replace(
        fact,
        values=_range(settings, fact.name, fact.values) or fact.values,
        multiple_of=str(settings.multiples.get(fact.name, fact.multiple_of)),
        size=_member(settings.sizes, fact.name, fact.size),
    )
    return fact if changed == fact else replace(changed, origin=Origin.USER)


def _range(settings: UnitSettings, name: str, inferred: Range | None) -> Range | None:
    if name not in settings.ranges:
        return inferred
    low, high = settings.ranges[name]
    return Range(low=str(low), high=str(high))


def _member(names: tuple[str, ...] | None, name: str, inferred: bool) -> bool:
    return inferred if names is None else name in names


def settings_of(contract: Contract) -> UnitSettings:
    """Return the settings that say all that the contract says."""
    ranged = [(fact.name, fact.values) for fact in contract.scalars if not array_of(fact.name)]
    ranged += [(fact.name, fact.values) for fact in contract.arrays if fact.values and not fact.free]
    return UnitSettings(
        extents={fact.name: fact.extent for fact in contract.arrays},
        before={fact.name: fact.before for fact in contract.arrays if fact.before != "0"},
        roles={fact.name: fact.role for fact in contract.arrays},
        ranges={name: (values.low, values.high) for name, values in ranged},
        multiples={fact.name: fact.multiple_of for fact in contract.scalars if fact.multiple_of != "1"},
        sizes=tuple(fact.name for fact in contract.scalars if fact.size and not array_of(fact.name)),
        distinct=tuple(fact.name for fact in contract.arrays if fact.distinct),
        ascending=tuple(fact.name for fact in contract.arrays if fact.ascending),
        last={fact.name: fact.last for fact in contract.arrays if fact.last},
        atomic=tuple(fact.name for fact in contract.arrays if fact.atomic),
        relations=contract.relations,
        law=contract.law,
        launches=contract.launches,
        tolerance=contract.numbers.tolerance,
        nan=_unusual(contract.numbers.nan, "class"),
        signed_zero=_unusual(contract.numbers.signed_zero, "equal"),
    )


def _unusual(value: Word, usual: str) -> Word | None:
    return None if value == usual else value


def render(contract: Contract, unit: str = "") -> str:
    """Return the ``transpile.toml`` table of a contract, under a unit's id or else its callable name."""
    settings = settings_of(contract)
    lines = [f"[units.{_quoted(unit or contract.signature.callable)}]"]
    loose = ", ".join(fact.name for fact in contract.arrays if fact.origin is Origin.BOUND)
    if loose:
        lines.append(f"# No expression gives these; the source stayed within them when traced: {loose}")
    for item in fields(settings):
        value = getattr(settings, item.name)
        if value is None or (not value and item.name != "sizes"):
            continue
        if isinstance(value, LaunchLaw | Tolerance):
            value = _table(value)
        lines.append(f"{item.name} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _table(item: LaunchLaw | Tolerance) -> dict[str, object]:
    """Return what distinguishes it from the plainest of its kind; the kind of a law is always written."""
    table = {part.name: getattr(item, part.name) for part in fields(item)}
    plain = {part.name: part.default for part in fields(item) if part.name != "kind"}
    return {key: value for key, value in table.items() if key not in plain or value != plain[key]}


def _toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return _quoted(value)
        case Mapping():
            return "{ " + ", ".join(f"{_key(str(key))} = {_toml(part)}" for key, part in value.items()) + " }"
        case tuple() | list():
            return "[" + ", ".join(_toml(part) for part in value) + "]"
        case _:
            raise TypeError(f"no TOML form of {type(value).__name__}")


def _key(text: str) -> str:
    bare = text.isascii() and text.replace("_", "").replace("-", "").isalnum()
    return text if bare else _quoted(text)


def _quoted(text: str) -> str:
    """Return a basic string; JSON's escapes are among TOML's once DEL is escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
