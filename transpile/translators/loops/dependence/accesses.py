"""Memory accesses of a loop nest: elements of arrays, and scalars."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from transpile.code.polynomial import Polynomial
from transpile.code.syntax import (
    arguments,
    called,
    field,
    find,
    inside,
    operator,
    quoted,
    root_of,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.places import ROWS, Place, holder, name_of, place_of
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.symbols.containers import asked, elements, only_pushed, pushed, stays
from transpile.translators.loops.symbols.enclosing_scope import OPAQUE, EnclosingScope
from transpile.translators.loops.symbols.exchanges import is_unmoved
from transpile.translators.mentions import Mention, mention
from transpile.translators.refusal import SEQUENTIAL, Refused


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """A read or a write of elements of one array."""

    base: str
    """The array: a parameter, a local variable or a name at file scope."""
    variable: Variable | None
    subscripts: tuple[Polynomial | None, ...]
    """A number a dimension, outermost first; None where it is not known."""
    write: bool
    node: Node
    unit: int | None = None
    """Bytes of what its subscripts count; None where that is not known."""
    update: str = ""
    """``+`` where all that happens is ``a[i] += value``; then the order of such updates does not matter."""
    relative: tuple[Polynomial | None, ...] = ()
    """Subscripts behind a pointer that the function exchanges for others, from where it leads at the time."""

    def within(self, node: Node) -> Access:
        """Return the access as one of an array of its own, where its pointer stays through a statement."""
        if not self.relative or self.variable is None or not is_unmoved(self.variable, node):
            return self
        return replace(self, subscripts=self.relative)

    @property
    def followed(self) -> bool:
        """Tell whether a pointer that lies in memory leads to the array: in a struct, or in another array."""
        return self.variable is None and ("." in self.base or self.scattered)

    @property
    def scattered(self) -> bool:
        """Tell whether it is of some row that pointers of an array lead to, wherever that lies."""
        return self.base.endswith(ROWS)


_WRITABLE = ("identifier", "subscript_expression", "pointer_expression", "field_expression")
_COMMUTING = frozenset(("+", "*", "&", "|", "^"))
_NAMES = ("identifier", "field_identifier", "type_identifier", "literal_suffix")
_UNKNOWN = {
    "goto_statement": "a `goto`",
    "throw_statement": "a `throw`",
    "try_statement": "a `try` block",
    "asm_statement": "inline assembly",
    "gnu_asm_expression": "inline assembly",
    "lambda_expression": "a lambda",
    "new_expression": "a `new` expression",
    "delete_expression": "a `delete` expression",
}
"""Syntax whose effects are not looked into, and its name in a message."""


def accesses(nest: Node, variables: Variables, values: Values, around: EnclosingScope) -> list[Access]:
    """Return every access to memory in a nest; raises Refused where something else happens."""
    for node in find(nest, *_UNKNOWN):
        raise Refused(SEQUENTIAL, _UNKNOWN[node.type], mentions=(Mention(_UNKNOWN[node.type], node),))
    for call in find(nest, "call_expression"):
        if asked(call, variables) is None and pushed(call, variables) is None:
            _understood(call, nest, variables, around)
    _known_outside(nest, variables, around)
    _shown(nest, around)
    for write in find(nest, "assignment_expression", "update_expression"):
        _written(write, variables)
    for variable in variables.used_in(nest):
        if elements(variable) is not None:
            if not stays(variable, nest) and not only_pushed(variable, nest, variables):
                raise Refused(
                    SEQUENTIAL, f"`{variable.name}`, a container whose elements may move in the loop"
                )
        elif variable.reference or "volatile" in source(variable.declaration):
            what = "a reference" if variable.reference else "which is `volatile`"
            raise Refused(SEQUENTIAL, f"`{variable.name}`, {what}")
        elif (storage := _storage_of_others(variable)) is not None:
            raise Refused(SEQUENTIAL, f"`{variable.name}`, which is declared `{storage}`")
    found = [*_found(nest, variables, values), *_pushes(nest, variables)]
    scattered = next((item for item in found if item.scattered), None)
    written = next((item for item in found if item.write and not _is_restricted(item)), None)
    if scattered is not None and written is not None:
        rows = f"the rows of `{scattered.base.removesuffix(ROWS)}`"
        told = f"{rows}, which may overlap what is written: {quoted(written.node)}"
        raise Refused(SEQUENTIAL, told, mentions=(mention(written.node),))
    for item in found:
        if item.variable is None and item.base in around.defined:
            raise Refused(SEQUENTIAL, f"`{item.base}`, a macro that stands for an array")
        own = item.base in around.arrays or item.base in around.ranks
        if item.variable is None and len(item.subscripts) > 1 and not own:
            raise Refused(SEQUENTIAL, f"`{item.base}`, whose rows may overlap each other")
    return _in_one_unit(found)


def _is_restricted(access: Access) -> bool:
    """Tell whether nothing but the parameter that an access names leads to what it touches."""
    variable = access.variable
    if variable is None or not variable.parameter or source(variable.shape).count("*") != 1:
        return False
    return "restrict" in source(variable.declaration)


def _understood(call: Node, nest: Node, variables: Variables, around: EnclosingScope) -> None:
    hidden = variables.of(unparenthesized(field(call, "function"))) is not None
    if hidden or not around.calls(called(call)):
        name = f"`{called(call) or squeeze(source(field(call, 'function')))[:60]}`"
        led = next(_addressed(call, nest, variables), None)
        after = (
            f", which may read what the iteration before left in `{led.name}`"
            if led
            else ", whose effects are unknown"
        )
        raise Refused(SEQUENTIAL, f"a call of {name}{after}", mentions=(Mention(name, call),))


def _addressed(call: Node, nest: Node, variables: Variables) -> Iterator[Variable]:
    """Yield the scalars whose addresses a call is given and that live longer than an iteration."""
    for given in arguments(call):
        if given.type == "pointer_expression" and operator(given) == "&":
            variable = variables.of(unparenthesized(field(given, "argument")))
            if variable is not None and not inside(variable.declaration, nest):
                yield variable


def _known_outside(nest: Node, variables: Variables, around: EnclosingScope) -> None:
    """Raise Refused for a name that is no value to all threads, or hides what the nest changes."""
    changed = [item for item in variables.all if any(inside(write, nest) for write in item.writes)]
    reached = [item for item in variables.all if item in changed or item.pointer or item.array]
    for node in variables.unbound(root_of(nest)):
        name = source(node)
        if inside(node, nest) and name in around.of_threads:
            raise Refused(
                SEQUENTIAL, f"`{name}`, which is thread-local", mentions=(Mention(f"`{name}`", node),)
            )
        if name not in around.defined:
            continue
        if inside(node, nest) and name not in around.values:
            raise Refused(
                SEQUENTIAL,
                f"`{name}`, a macro that is not a plain value",
                mentions=(Mention(f"`{name}`", node),),
            )
        for variable in reached if inside(node, nest) else changed:
            if variable.name in around.words[name]:
                told = f"`{name}`, a macro that uses `{variable.name}`"
                raise Refused(SEQUENTIAL, told, mentions=(Mention(f"`{name}`", node),))


def _shown(nest: Node, around: EnclosingScope) -> None:
    """Raise Refused for a name, or one in a macro, behind which more may run than the text shows."""
    for node in find(nest, *_NAMES):
        name = source(node)
        if not around.opaque.isdisjoint((name, *around.words.get(name, ()))):
            raise Refused(SEQUENTIAL, OPAQUE.format(name), mentions=(Mention(f"`{name}`", node),))


def _storage_of_others(variable: Variable) -> str | None:
    """Return the storage class of a variable at file scope, or of one in each thread; None for others."""
    children = variable.declaration.children
    given = (source(child) for child in children if child.type == "storage_class_specifier")
    return next((word for word in given if word != "static"), None) if variable.static else None


def _written(write: Node, variables: Variables) -> None:
    """Raise Refused for a write to a variable at file scope, or to what is not seen to be a variable."""
    target = write.child_by_field_name("left") or field(write, "argument")
    target = unparenthesized(target)
    while target.type == "field_expression" and operator(target) != "->":
        target = unparenthesized(field(target, "argument"))
    if target.type == "identifier" and variables.of(target) is None:
        name = f"`{source(target)}`"
        raise Refused(
            SEQUENTIAL, f"a write to {name}, a variable at file scope", mentions=(Mention(name, write),)
        )
    if target.type not in _WRITABLE:
        raise Refused(
            SEQUENTIAL, f"a write that is not understood: {quoted(write)}", mentions=(mention(write),)
        )


def _found(nest: Node, variables: Variables, values: Values) -> Iterator[Access]:
    places: list[tuple[Node, Place]] = []
    for node in find(nest, "subscript_expression", "pointer_expression", "field_expression"):
        if _inner(node) or not _touches(node) or _asks(node, variables):
            continue
        yield from _pointers(node, variables, values)
        if values.pointer(node)[0]:
            continue  # where it leads matters where it is followed
        place = place_of(node, variables, values)
        if place is not None:
            places.append((node, place))
        elif node.type != "field_expression" or not _of_a_value(node, variables):
            raise Refused(
                SEQUENTIAL, f"an access that is not understood: {quoted(node)}", mentions=(mention(node),)
            )
    parted = {
        place.whole.base
        for node, place in places
        if place.whole is not None and any(item.write for item in _uses(node, place))
    }
    for node, place in places:
        whole = place.whole if place.whole is not None and place.whole.base not in parted else None
        yield from _uses(node, whole or place)


def _pushes(nest: Node, variables: Variables) -> Iterator[Access]:
    """Yield what is put behind the last element of a container, wherever that is."""
    for call in find(nest, "call_expression"):
        owner = pushed(call, variables)
        if owner is not None:
            yield Access(name_of(owner), owner, (None,), True, call)


def _pointers(node: Node, variables: Variables, values: Values) -> Iterator[Access]:
    """Yield the reads of pointers in structs that lead to an element: they are reads of the structs."""
    for inner in find(node, "field_expression"):
        if not values.pointer(inner)[0] or _of_a_value(inner, variables):
            continue
        owner = holder(inner, variables, values)
        if owner is None:
            raise Refused(
                SEQUENTIAL, f"an access that is not understood: {quoted(inner)}", mentions=(mention(inner),)
            )
        yield Access(owner.base, owner.variable, owner.subscripts, False, inner)


def _in_one_unit(found: list[Access]) -> list[Access]:
    """Return accesses without the subscripts of arrays that are taken for several types."""
    units: dict[str, set[int | None]] = {}
    for item in found:
        units.setdefault(item.base, set()).add(item.unit)
    return [item if len(units[item.base]) == 1 else replace(item, subscripts=(None,)) for item in found]


def _inner(node: Node) -> bool:
    """Tell whether a node is a part of a longer path to the same element: ``a[i]`` of ``a[i][j]``."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        node, parent = parent, parent.parent
    if parent is None or parent.type not in ("subscript_expression", "field_expression"):
        return False
    return field(parent, "argument").id == node.id


def _touches(node: Node) -> bool:
    return node.type != "pointer_expression" or operator(node) == "*"


def _asks(node: Node, variables: Variables) -> bool:
    """Tell whether a member is a function of a container: one that tells its length, or makes it longer."""
    call = node.parent
    return call is not None and (asked(call, variables) or pushed(call, variables)) is not None


def _of_a_value(node: Node, variables: Variables) -> bool:
    """Tell whether a member is one of a variable that is no pointer."""
    while node.type == "field_expression":
        if operator(node) == "->":
            return False
        node = unparenthesized(field(node, "argument"))
    variable = variables.of(node)
    return variable is not None and not variable.pointer and not variable.reference


def _uses(node: Node, place: Place) -> Iterator[Access]:
    user = node.parent
    while user is not None and user.type == "parenthesized_expression":
        node, user = user, user.parent
    assert user is not None

    def access(*, write: bool, update: str = "") -> Access:
        if not place.exchanged:
            return Access(place.base, place.variable, place.subscripts, write, node, place.unit, update)
        nowhere = (None,) * len(place.subscripts)
        relative = place.subscripts
        return Access(place.base, place.variable, nowhere, write, node, place.unit, update, relative)

    if user.type == "update_expression":
        yield access(write=True, update="+" if _is_statement(user) else "")
        if not _is_statement(user):
            yield access(write=False)
    elif user.type == "assignment_expression" and field(user, "left").id == node.id:
        again = self_update(user)
        if again is not None:
            yield access(write=True, update=again.operator)
            return
        sign = operator(user).removesuffix("=")
        sign = "+" if sign == "-" else sign
        update = sign if sign in _COMMUTING and _is_statement(user) else ""
        yield access(write=True, update=update)
        if sign and not update:
            yield access(write=False)
    elif user.type == "pointer_expression" and operator(user) == "&":
        if _begins_pointer(user):
            return  # as ``a + i`` would
        raise Refused(SEQUENTIAL, f"the address of an element: {quoted(user)}", mentions=(mention(user),))
    else:
        yield access(write=False, update=_read_again(node))


@dataclass(frozen=True, slots=True)
class SelfUpdate:
    """``a[i] = a[i] + value``: an update in other words."""

    operator: str
    again: Node
    """The element on the right."""
    value: Node


def self_update(assignment: Node) -> SelfUpdate | None:
    """Return an assignment as the update of an element that it is; None for others."""
    if (
        assignment.type != "assignment_expression"
        or operator(assignment) != "="
        or not _is_statement(assignment)
    ):
        return None
    target = squeeze(source(field(assignment, "left")))
    right = unparenthesized(field(assignment, "right"))
    if right.type != "binary_expression" or operator(right) not in ("+", "*"):
        return None
    first, second = (unparenthesized(field(right, side)) for side in ("left", "right"))
    for again, value in ((first, second), (second, first)):
        if squeeze(source(again)) == target and target not in squeeze(source(value)):
            return SelfUpdate(operator(right), again, value)
    return None


def _read_again(node: Node) -> str:
    """Return the operator of the update that a read belongs to; empty where it is a read of its own."""
    parent = node.parent
    while parent is not None and parent.type in ("binary_expression", "parenthesized_expression"):
        parent = parent.parent
    again = self_update(parent) if parent is not None else None
    return again.operator if again is not None and again.again.id == node.id else ""


def _begins_pointer(address: Node) -> bool:
    """Tell whether a pointer is declared that begins at the address."""
    declared = address.parent
    return (
        declared is not None
        and declared.type == "init_declarator"
        and field(declared, "declarator").type == "pointer_declarator"
    )


def _is_statement(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "expression_statement"
