"""Arrays that callers may let overlap: what a translation has to ask before it runs iterations at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations

from transpile.code.syntax import inside
from transpile.code.variables import Variable, Variables
from transpile.core import ArrayFact, Contract, ElementType, Parameter, Role, Scalar, Signature
from transpile.expressions import names
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.trips import grouped
from transpile.translators.loops.symbols import containers, members
from transpile.translators.loops.symbols.containers import depth, distinct, elements, may_hold, stays
from transpile.translators.loops.symbols.enclosing_scope import numbers
from transpile.translators.loops.symbols.exchanges import arrays as arrays_of
from transpile.translators.loops.symbols.exchanges import exchanged
from transpile.translators.loops.symbols.extents import begun, divisors, spelled, whole_rows
from transpile.translators.loops.symbols.members import ANY, changing
from transpile.translators.loops.symbols.paths import element, fields
from transpile.translators.refusal import SEQUENTIAL, Refused

_BYTES = (Scalar.INT8, Scalar.UINT8, Scalar.BOOL)
"""Types through which anything may be written."""
_SIGNS = (
    (Scalar.INT16, Scalar.UINT16),
    (Scalar.INT32, Scalar.UINT32),
    (Scalar.INT64, Scalar.UINT64),
)
_OTHER_SIGN = {one: other for pair in _SIGNS for one, other in (pair, pair[::-1])}


@dataclass(frozen=True, slots=True)
class Array:
    """Memory that lives longer than a call."""

    name: str
    length: str
    """How many elements or rows are behind its name, as C; empty where that is not known."""
    element: str
    divisors: tuple[str, ...] = ()
    """What its length divides by."""
    begun: str = ""
    """What is above 0 where the last of its rows is begun; empty where it always is."""
    rows: bool = False
    """Its name leads to rows, and not to elements."""
    flat: bool = False
    """Rows are as long as a parameter says, and elements are counted."""
    restrict: bool = False
    """Nothing else leads there."""
    object: bool = False
    """Its name is that of an array itself, which shares no element with another one."""
    begin: str = ""
    """A pointer to its first element, where that is not its name."""
    container: Variable | None = None
    """The object that it is, which shares no element with another one."""
    simple: bool = False
    """Its elements are structs without arrays."""
    read: frozenset[Scalar] | None = None
    """Types of numbers that are read of it, where it is a struct of which members are read and no more."""
    number: Scalar | None = None
    """What its elements are, where they are numbers."""
    owner: str = ""
    """The struct that it is an array in, all of which is taken for it."""
    where: tuple[str, ...] = ()
    """Comparisons without which it is of another length."""
    data_dependent: bool = False
    """Data decides how far it is reached, so that nothing can be asked ahead of the loops."""

    @property
    def first(self) -> str:
        """Return a pointer to its first element."""
        return self.begin or self.name

    @property
    def end(self) -> str:
        """Return a pointer behind its last element or row."""
        return f"{self.first} + {grouped(self.length)}"


def changed(variables: Variables, contract: Contract | None = None) -> frozenset[str]:
    """Return what means another value somewhere, parameters and members: a contract speaks of the call's."""
    if contract is None:
        return frozenset(_changed(variables))
    behind = _numbers_behind(contract.signature)
    has_members = any("." in item.name and item.name not in behind for item in contract.signature.parameters)
    fields = changing(variables, numbers(contract.signature)) if has_members else ()
    written = _written_types(contract)
    aliased = (
        name for name, number in behind.items() if written & {number, _OTHER_SIGN.get(number), *_BYTES}
    )
    return frozenset((*_changed(variables), *(f".{item}" for item in fields), *aliased))


def _numbers_behind(signature: Signature) -> dict[str, Scalar]:
    """Return the types of the numbers that pointers lead to one of, by the names that contracts have."""
    parts = {item.name for item in signature.parameters}
    return {
        f"{item.name}.value": item.element.scalar
        for item in signature.parameters
        if item.pointer
        and item.element is not None
        and item.element.scalar is not None
        and f"{item.name}.value" in parts
    }


def _written_types(contract: Contract) -> set[Scalar]:
    """Return the types of the numbers that calls write, of which a caller may make any other of the type."""
    read = {item.name for item in contract.arrays if item.role in (Role.IN, Role.UNUSED)}
    return {
        leaf.scalar
        for item in contract.signature.parameters
        if item.pointer and item.element is not None and item.name not in read
        for leaf in item.element.leaves
    }


def _changed(variables: Variables) -> Iterator[str]:
    given = {item.name for item in variables.all if item.parameter}
    for item in variables.all:
        if item.name in given and (item.writes or not item.parameter):
            yield item.name
        if item.parameter and elements(item) is not None and not stays(item, item.scope):
            yield f"{item.name}.size"


def apart(part: Band | SequentialNest, contract: Contract | None, variables: Variables) -> list[str]:
    """Return the conditions under which the arrays of a part lie apart, each once; raises Refused.

    What several rest on comes first: behind it, nothing could make it fail.
    """
    return all_of(pairs(part, contract, variables))


def all_of(arrays: Iterable[tuple[Array, Array]]) -> list[str]:
    """Return the conditions under which the arrays of each pair lie apart; raises Refused."""
    found = [_conditions(*both) for both in arrays]
    first = dict.fromkeys(text for guards, _ in found for text in guards)
    disjoint = list(dict.fromkeys(text for _, text in found))
    if len(disjoint) != 1:
        return [*first, *disjoint]
    return [" && ".join((*first, f"({disjoint[0]})")) if first else disjoint[0]]


def supposed_apart(
    part: Band | SequentialNest, contract: Contract | None, variables: Variables
) -> Iterator[str]:
    """Yield which arrays are supposed to lie apart, since nobody knows how far they are reached."""
    for one, other in pairs(part, contract, variables):
        if _unasked(one, other):
            yield f"`{one.name}` and `{other.name}` do not overlap"


def _unasked(one: Array, other: Array) -> bool:
    return one.data_dependent or other.data_dependent


def lengths(part: Band | SequentialNest, contract: Contract | None, variables: Variables) -> dict[str, str]:
    """Return the lengths that such conditions name, as C, each with an array that is so long."""
    arrays = (item for both in pairs(part, contract, variables) for item in both)
    return {item.length: item.name for item in arrays if item.length}


def entangled(part: Band | SequentialNest, contract: Contract | None, variables: Variables) -> bool:
    """Tell whether what a part writes may be a whole number of a struct: bounds of loops may change then."""
    for both in pairs(part, contract, variables):
        for one, other in (both, both[::-1]):
            if one.read is not None and (other.number is None or not other.number.floating):
                return True
    return False


def by_type(part: Band | SequentialNest, contract: Contract | None, variables: Variables) -> bool:
    """Tell whether a struct lies apart from arrays that a part writes because of their types alone."""
    found = _pairs(part, contract, variables)
    return any(_differ(one, other) or _differ(other, one) for one, other in found)


def _conditions(one: Array, other: Array) -> tuple[tuple[str, ...], str]:
    """Return what says that two arrays lie apart, behind what that rests on; raises Refused."""
    if one.container and other.container:
        if _nested(one, other):
            raise Refused(SEQUENTIAL, f"one of `{one.name}` and `{other.name}` may lie inside the other")
        view = "" if one.element == other.element else "(const void *)"
        return (), f"{view}&{one.name} != {view}&{other.name}"
    if _within(one, other):
        raise Refused(SEQUENTIAL, f"`{one.name}` and `{other.name}` are parts of one struct")
    if _unasked(one, other):
        return (), _begins_apart(one, other)
    if not one.length or not other.length:
        raise Refused(
            SEQUENTIAL, f"the length of `{one.name if not one.length else other.name}` is not known"
        )
    disjoint = f"{_before(one, other)} || {_before(other, one)}"
    # Where the source runs no iteration it need not divide.
    divisors = (f"{item} != 0" for item in (*one.divisors, *other.divisors))
    return (*divisors, *one.where, *other.where), disjoint


def _begins_apart(one: Array, other: Array) -> str:
    """Return that an array of unknown length begins outside of the other one: no more can be asked."""
    if one.length and not other.length:
        one, other = other, one
    view = "" if one.element == other.element and not (_of_rows(one) or _of_rows(other)) else "(const void *)"
    if not other.length:
        return f"{view}{one.first} != {view}{other.first}"
    return f"{view}{one.first} < {view}{other.first} || {_before(other, one)}"


def _before(one: Array, other: Array) -> str:
    """Return that one array ends before the other begins."""
    if _of_rows(one) or _of_rows(other) or one.element != other.element:
        return f"(const void *)({one.end}) <= (const void *){other.first}"
    return f"{one.end} <= {other.first}"


def _of_rows(array: Array) -> bool:
    """Tell whether a pointer to its first part is one to rows."""
    return array.rows and not array.flat


def pairs(
    part: Band | SequentialNest, contract: Contract | None, variables: Variables
) -> Iterator[tuple[Array, Array]]:
    """Yield two arrays each that may lead to the same memory, where one of them is written."""
    for one, other in _pairs(part, contract, variables):
        if not _never_meet(one, other):
            yield one, other


def _pairs(
    part: Band | SequentialNest, contract: Contract | None, variables: Variables
) -> Iterator[tuple[Array, Array]]:
    inner = touched(part)
    written = {access.base for access in inner if access.write}
    constants = {item.name for item in contract.signature.constants} if contract is not None else set()
    moved = changed(variables, contract)
    arrays: dict[str, Array] = {}
    for access in inner:
        constant = access.variable is None and access.base in constants
        if access.base not in arrays and outlives(access) and not constant:
            known = _container(access.variable, contract) if access.variable is not None else None
            arrays[access.base] = known or _array(access, contract, variables, moved)
            if contract is not None and arrays[access.base].number is None:
                own = [item for item in inner if item.base == access.base]
                read = _members(own, contract, variables)
                arrays[access.base] = replace(arrays[access.base], read=read)
    for (base, one), (other_base, other) in combinations(arrays.items(), 2):
        if {base, other_base} & written:
            yield one, other


def touched(part: Band | SequentialNest) -> list[Access]:
    """Return the accesses to memory in a part."""
    return [access for access in part.nest.accesses if inside(access.node, part.node)]


def outlives(access: Access) -> bool:
    """Tell whether something else may lead to what is touched: it lives longer than a call."""
    variable = access.variable
    if variable is None or access.relative:
        return True
    return variable.parameter and (elements(variable) is None or variable.reference)


def _never_meet(one: Array, other: Array) -> bool:
    """Tell whether two arrays lie apart in every call."""
    if one.object and other.object:
        return True
    if one.container is None or other.container is None:
        if _within(one, other):
            return one.read is not None or other.read is not None  # of members that are no arrays
        if one.owner == other.owner != "":
            return True
        return one.restrict or other.restrict or _differ(one, other) or _differ(other, one)
    return distinct(one.container, other.container) and not _nested(one, other)


def _within(one: Array, other: Array) -> bool:
    """Tell whether one of two is an array in the other, which is a struct."""
    return one.owner == other.name or other.owner == one.name


def _array(access: Access, contract: Contract | None, variables: Variables, moved: frozenset[str]) -> Array:
    """Return what is known of an array that lives longer than a call."""
    if not access.relative or access.variable is None:
        return array(access.base, contract, moved)
    given = list(arrays_of(exchanged(access.variable, variables)))
    found = [array(item.name, contract, moved - {pointer.name for pointer in given}) for item in given]
    lengths = sorted({item.length for item in found}, key=len)
    if len({item.element for item in found}) > 1 or not all(lengths) or any(item.rows for item in found):
        return Array(access.variable.name, "", "")
    return replace(
        found[0],
        name=access.variable.name,
        length=reduce(_longer, lengths),
        divisors=tuple(divisor for item in found for divisor in item.divisors),
        where=tuple(text for item in found for text in item.where),
        restrict=False,
    )


def _longer(one: str, other: str) -> str:
    """Return the greater one of two lengths as C: a pointer may lead to either array."""
    return f"{grouped(one)} > {grouped(other)} ? {one} : {other}"


def _differ(one: Array, other: Array) -> bool:
    """Tell whether numbers are of no type that members of a struct have (C11 6.5p7)."""
    if one.read is None or other.number is None or other.number in _BYTES:
        return False
    return not any(item in (other.number, _OTHER_SIGN.get(other.number)) for item in one.read)


def _members(
    accesses: Sequence[Access], contract: Contract, variables: Variables
) -> frozenset[Scalar] | None:
    """Return the types of the numbers that are read of a struct; None where more is done to it."""
    [name] = {access.base for access in accesses}
    parameters = {item.name: item for item in contract.signature.parameters}
    whole = parameters[name].element if name in parameters else None
    if whole is None or any(item.write or item.node.type != "field_expression" for item in accesses):
        return None
    found = set[Scalar]()
    for access in accesses:
        read = element(access.node, variables).removeprefix(name)
        own = [leaf.scalar for leaf in whole.leaves if f".{leaf.name}".startswith(read)]
        if not own and name + read not in parameters:
            return None
        found.update(own)
    return frozenset(found)


def _nested(one: Array, other: Array) -> bool:
    """Tell whether one of two containers may lie in an element of the other."""
    return any(
        outer.container is not None
        and inner.container is not None
        and not outer.simple
        and may_hold(outer.container, inner.container)
        for outer, inner in ((one, other), (other, one))
    )


def _container(variable: Variable, contract: Contract | None) -> Array | None:
    """Return a container as an array; None for what is none."""
    if elements(variable) is None:
        return None
    name, begin = variable.name, f"{variable.name}.data()"
    length = f"{name}.size()" if depth(variable) == 1 else ""
    simple = (
        contract is not None
        and depth(variable) == 1
        and any(
            item.name == f"{name}.data" and item.element is not None and _is_simple(item.element)
            for item in contract.signature.parameters
        )
    )
    element = containers.spelled(variable)
    return Array(name, length, element, begin=begin, container=variable, simple=simple)


def _is_simple(element: ElementType) -> bool:
    """Tell whether a type is a struct of numbers, or a number."""
    return bool(element.leaves) and not any("[" in leaf.name for leaf in element.leaves)


def array(name: str, contract: Contract | None, moved: frozenset[str]) -> Array:
    """Return what is known of an array that lives longer than a call.

    Args:
        name: Of a parameter or of a variable at file scope.
        contract: What is known of the function; None where nothing is.
        moved: Parameters that the function gives other values.
    """
    if contract is None:
        return Array(name, "", "")
    for parameter in contract.signature.parameters:
        if parameter.name == name:
            fact = contract.array(name)
            told = fact is not None and fact.before == "0" and not moves({name, *_named(fact)}, moved)
            found = Array(
                name,
                "",
                parameter.element.spelling if parameter.element is not None else "",
                rows=bool(parameter.row),
                restrict="restrict" in parameter.spelling,
                number=parameter.element.scalar if parameter.element is not None else None,
                begin=members.begun(name, contract),
            )
            if fact is None or not told:
                return found
            if not fact.extent:
                return replace(found, data_dependent=True)
            sized = _sized(found, parameter, fact.extent)
            return replace(
                sized,
                length=members.spelled(sized.length, contract),
                divisors=tuple(members.spelled(item, contract) for item in divisors(fact.extent)),
                where=tuple(members.spelled(item, contract) for item in fact.where),
            )
        if not parameter.outside and (types := _types_in(parameter, name)):
            whole = array(parameter.name, contract, moved)
            [number] = types if len(types) == 1 else [None]
            return replace(whole, name=name, begin=whole.first, owner=whole.name, number=number)
    for item in contract.signature.globals:
        if item.name == name and item.lengths:
            element = item.element.spelling if item.element else ""
            return Array(name, str(item.lengths[0]), element, rows=len(item.lengths) > 1, object=True)
    return Array(name, "", "")


def _named(fact: ArrayFact) -> frozenset[str]:
    """Return what the length of an array depends on, as far as it is known."""
    return names(fact.extent) if fact.extent else frozenset()


def _types_in(parameter: Parameter, name: str) -> set[Scalar]:
    """Return the types of the numbers in an array that is a member of what a parameter leads to."""
    leaves = parameter.element.leaves if parameter.element is not None else ()
    return {leaf.scalar for leaf in leaves if f"{parameter.name}.{leaf.name}".startswith(f"{name}[")}


def moves(used: set[str], moved: frozenset[str]) -> bool:
    """Tell whether a parameter or a member among names means another value somewhere."""
    members = {item for name in used for item in fields(name)}
    return bool(used & moved or {f".{item}" for item in members} & moved or (members and f".{ANY}" in moved))


def _sized(found: Array, parameter: Parameter, extent: str) -> Array:
    """Return an array with its length, where the contract's can be said of it."""
    if not parameter.row:
        return replace(found, length=spelled(extent))
    if not all(length.isdigit() for length in parameter.row):
        first = found.first + "[0]" * len(parameter.row)
        return replace(found, begin=first, length=spelled(extent), flat=True)
    rows = [int(length) for length in parameter.row]
    count = whole_rows(rows, extent)
    return found if count is None else replace(found, length=count, begun=begun(rows, extent))


def overlapping(conditions: Sequence[str], indent: str) -> str:
    """Return that some arrays do not lie apart, as an expression of C on several lines."""
    return f"!({all_apart(conditions, indent)})"


def all_apart(conditions: Sequence[str], indent: str) -> str:
    """Return that all arrays lie apart, as an expression of C on several lines."""
    return conditions[0] if len(conditions) == 1 else _joined(conditions, indent)


def declared(name: str, conditions: Sequence[str], indent: str) -> str:
    """Return the declaration of a flag that says whether arrays lie apart."""
    return f"const int {name} = {_joined(conditions, indent)};"


def _joined(conditions: Sequence[str], indent: str) -> str:
    return f"\n{indent}    && ".join(f"({item})" for item in conditions)
