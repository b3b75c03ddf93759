"""Arguments of a loop that becomes a function: names from outside, and their ways in and out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from tree_sitter import Node

from transpile.code.syntax import (
    Function,
    ancestors,
    find,
    inside,
    operator,
    source,
    squeeze,
    subscript,
    target_of,
)
from transpile.code.syntax import field as child_of
from transpile.code.variables import Variable, Variables
from transpile.parsers.extraction.certainty import is_certain
from transpile.parsers.extraction.loops import sizes
from transpile.parsers.extraction.settings import begins_by_setting, is_dead_after, is_set_within
from transpile.parsers.extraction.types import Meaning, Typed

_SHORT = 64
_WORD = re.compile(r"\W+")


class Way(Enum):
    """The way of a value into the function, and back."""

    GIVEN = auto()
    """It is an argument; what becomes of it there concerns nobody."""
    LOCAL = auto()
    """The loop sets it before it reads it, and nobody reads it afterwards."""
    CHANGED = auto()
    """It comes back."""
    SET = auto()
    """The loop begins by setting it, and it comes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """A variable or member from outside of the loop."""

    text: str
    """The expression for it where the loop stands."""
    name: str
    typed: Typed
    way: Way
    uses: tuple[Node, ...]


class Unmovable(Exception):
    """The loop cannot be handed something that it names."""


@dataclass(slots=True)
class _Member:
    typed: Typed
    uses: list[Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """Changes that functions of the source make which a loop calls."""

    members: frozenset[str] = frozenset()
    """Names of members that they may set."""
    everything: bool = False
    """They copy whole records, or set what a pointer leads to."""
    leaves: bool = False
    """They may leave the loop for elsewhere than its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """A function, and what is known of the names in it."""

    function: Function
    start: int
    """Offset of its text in the file."""
    variables: Variables
    meaning: Meaning
    effects: Callable[[Collection[str]], Effects]
    """Of functions of the source that a loop calls, by their names."""
    assigning: frozenset[str]
    """Macros that may set a variable that they name."""
    whole: frozenset[str]
    """Names in macros that are more than arrays of which an element is meant."""


def arguments_of(loop: Node, around: Surroundings) -> list[Argument]:
    """Return what a loop needs, in the order in which it names it. Raises Unmovable."""
    _refuse_objects(loop, around)
    members, bases = _members(loop, around)
    called = _calls(loop, around)
    effects = _effects(called, around)
    found = [*_variables(loop, around, bases, called), *_of_members(loop, around, members, effects)]
    if any(_is_short(item, loop) for item in found):
        raise Unmovable
    if (effects.leaves or _may_throw(loop)) and any(item.way in (Way.CHANGED, Way.SET) for item in found):
        raise Unmovable
    return sorted(found, key=lambda item: item.uses[0].start_byte)


def _may_throw(loop: Node) -> bool:
    """Tell whether somebody waits for what a loop throws, or a checked access may throw."""
    return any(outer.type == "try_statement" for outer in ancestors(loop)) or any(
        source(name) == "at" for name in find(loop, "field_identifier")
    )


def _within(place: int, loop: Node, around: Surroundings) -> bool:
    """Tell whether a place in the file is in a loop."""
    return around.start + loop.start_byte <= place < around.start + loop.end_byte


def _calls(loop: Node, around: Surroundings) -> frozenset[str]:
    """Return the names of what a loop calls, but for what headers of the system define."""
    return frozenset(call.name for call in around.meaning.calls if _within(call.place, loop, around))


def _effects(called: Collection[str], around: Surroundings) -> Effects:
    return Effects(everything=True) if "" in called else around.effects(called)


def _refuse_objects(loop: Node, around: Surroundings) -> None:
    """Raise Unmovable where a loop needs the object that its function is called for."""
    if any(_within(place, loop, around) for place in around.meaning.methods):
        raise Unmovable
    for this in find(loop, "this"):
        parent = this.parent
        if parent is None or parent.type != "field_expression":
            raise Unmovable


def _is_whole(uses: Iterable[Node], around: Surroundings) -> bool:
    """Tell whether an array is asked for more than a pointer to it, as for its size: a parameter is none."""
    return any(_name_place(use, around) in around.meaning.whole for use in uses)


def supposed(loop: Node, arguments: Sequence[Argument], around: Surroundings) -> Iterator[str]:
    """Yield what is taken for granted of members that are handed on: they exist, and are no elements."""
    pointers = {name: path for item in arguments for name, path in _pointers(item.uses[0])}
    for name, path in pointers.items():
        if not is_certain(name, loop, around.function.body, _is_fixed(path, around), runs=False):
            yield f"`{name}` leads to an object, also where the loop at it has no iterations"
    targets = map(target_of, find(loop, "assignment_expression", "update_expression"))
    places = [item for item in targets if item.type in ("subscript_expression", "pointer_expression")]
    for member in arguments:
        if not member.typed.scalar or member.text.isidentifier():
            continue
        for array in arguments:
            alike = array.typed.number in (member.typed.number, "char")
            if array.typed.pointer and alike and any(inside(use, at) for use in array.uses for at in places):
                yield f"`{member.text}` is no element of `{array.text}`"


def _is_short(argument: Argument, loop: Node) -> bool:
    """Tell whether a loop goes along an array of so few elements that nobody would start threads."""
    begin = loop.child_by_field_name("initializer")
    counters = set(map(source, find(begin, "identifier"))) if begin is not None else set()
    return 0 < argument.typed.length <= _SHORT and any(
        use.parent is not None
        and use.parent.type == "subscript_expression"
        and source(subscript(use.parent)) in counters
        for use in argument.uses
    )


def _members(loop: Node, around: Surroundings) -> tuple[dict[str, _Member], set[int]]:
    """Return the members that a loop names by their expressions, and the variables that these begin with."""
    found: dict[str, _Member] = {}
    bases: set[int] = set()
    for node in find(loop, "field_expression", "identifier"):
        if node.type == "identifier":
            is_own = around.start + node.start_byte in around.meaning.implicit
            outer = node.parent
            if not is_own or (outer is not None and _is_path(outer, loop, around)):
                continue
            if around.variables.of(node) is not None:
                raise Unmovable
            place = node.start_byte
        else:
            outer = node.parent
            if not _is_path(node, loop, around) or (
                outer is not None and outer.type == "field_expression" and _is_path(outer, loop, around)
            ):
                continue
            base = _base(node)
            variable = around.variables.of(base)
            if variable is not None:
                bases.add(base.id)
            place = child_of(node, "field").start_byte
        typed = around.meaning.members.get(around.start + place)
        if typed is None:
            raise Unmovable
        found.setdefault(squeeze(source(node)), _Member(typed)).uses.append(node)
    return found, bases


def _base(path: Node) -> Node:
    while path.type == "field_expression":
        path = child_of(path, "argument")
    return path


def _is_path(node: Node, loop: Node, around: Surroundings) -> bool:
    """Tell whether an expression is a member of members of what is declared outside of the loop.

    A method's name in a call is no member.
    """
    if node.type != "field_expression" or child_of(node, "field").type != "field_identifier":
        return False
    parent = node.parent
    if parent is not None and parent.type == "call_expression" and child_of(parent, "function").id == node.id:
        return False
    base = _base(node)
    if base.type == "this":
        return True
    if base.type != "identifier":
        return False
    if around.start + base.start_byte in around.meaning.implicit:
        return True
    variable = around.variables.of(base)
    return variable is not None and not inside(variable.declarator, loop)


def _of_members(
    loop: Node, around: Surroundings, members: Mapping[str, _Member], effects: Effects
) -> Iterator[Argument]:
    written = {name for text in members for name in _fields(text)} & _assigned(loop, around)
    elsewhere, taken = effects.members, set(re.findall(r"\w+", around.function.text))
    for text, member in members.items():
        *outer, last = _fields(text)
        if elsewhere.intersection((*outer, last)) or written.intersection(outer):
            raise Unmovable
        changed = last in written
        if changed and (not member.typed.scalar or _has_other_names(member, loop, around)):
            raise Unmovable
        if member.typed.scalar or member.typed.pointer:
            if effects.everything or _is_bound(last, loop, around, changed=changed):
                raise Unmovable
            if _is_copied(member, loop, around):
                raise Unmovable
        if member.typed.array and (last in set(sizes(loop)) or _is_whole(member.uses, around)):
            raise Unmovable
        if any(_is_address(use) for use in member.uses) or not _is_certain(member, loop, around):
            raise Unmovable
        own = text.removeprefix("this->")
        is_free = own.isidentifier() and all(item.name != own for item in around.variables.all)
        name = own if is_free else _name(own, taken)
        taken.add(name)
        yield Argument(
            text=source(member.uses[0]),
            name=name,
            typed=member.typed,
            way=Way.CHANGED if changed else Way.GIVEN,
            uses=tuple(member.uses),
        )


def _has_other_names(member: _Member, loop: Node, around: Surroundings) -> bool:
    """Tell whether a loop names such a member by other expressions, too: these may be of the same object."""
    own = {_name_place(use, around) for use in member.uses}
    [known, *_] = [around.meaning.fields[place] for place in own]
    return any(
        place not in own and other == known and _within(place, loop, around)
        for place, other in around.meaning.fields.items()
    )


def _is_certain(member: _Member, loop: Node, around: Surroundings) -> bool:
    """Tell whether all pointers on the way to a member are followed in any case."""
    path = member.uses[0]
    is_fixed = _is_fixed(path, around)
    return all(is_certain(pointer, loop, around.function.body, is_fixed) for pointer, _ in _pointers(path))


def _pointers(path: Node) -> Iterator[tuple[str, Node]]:
    """Yield the pointers on the way to a member, squeezed, each with the whole way."""
    whole = path
    while path.type == "field_expression":
        pointer = child_of(path, "argument")
        if operator(path) == "->" and pointer.type != "this":
            yield squeeze(source(pointer)), whole
        path = pointer


def _is_fixed(path: Node, around: Surroundings) -> bool:
    """Tell whether the variable that a way to a member begins with keeps its value."""
    base = around.variables.of(_base(path))
    return base is None or not base.writes


def _name_place(use: Node, around: Surroundings) -> int:
    name = child_of(use, "field") if use.type == "field_expression" else use
    return around.start + name.start_byte


def _is_bound(name: str, loop: Node, around: Surroundings, *, changed: bool) -> bool:
    """Tell whether something else than its name may set a member, or read one that changes."""
    return any(
        item.member == name
        and (item.lasting or _within(item.place, loop, around))
        and (item.setting or changed)
        for item in around.meaning.bindings
    )


def _is_copied(member: _Member, loop: Node, around: Surroundings) -> bool:
    """Tell whether a loop copies whole records that may hold a member."""
    owner = around.meaning.fields[_name_place(member.uses[0], around)].owner
    return any(owner in item.holds and _within(item.place, loop, around) for item in around.meaning.copies)


def _fields(path: str) -> list[str]:
    """Return the members that a path goes through, without the variable that it begins with."""
    parts = re.split(r"->|\.", path)
    return parts if len(parts) == 1 else parts[1:]


def _assigned(loop: Node, around: Surroundings) -> set[str]:
    """Return the names of the members that a loop itself sets."""
    found = {
        around.meaning.fields[place].name for place in around.meaning.assigned if _within(place, loop, around)
    }
    found.update(
        source(node)
        for node in find(loop, "identifier", "field_identifier")
        if around.start + node.start_byte in around.meaning.referred
    )
    return found


def _name(path: str, taken: Collection[str]) -> str:
    """Return a name for a member that nothing else has."""
    name = _WORD.sub("_", path).strip("_")
    while name in taken:
        name += "_"
    return name


def _variables(
    loop: Node, around: Surroundings, bases: Collection[int], called: Collection[str]
) -> Iterator[Argument]:
    by_macro: dict[int, list[Node]] = {}
    for node in find(around.function.body, "identifier"):
        for item in around.variables.by_macro.get(node.id, ()):
            by_macro.setdefault(id(item), []).append(node)
    needed = around.variables.needed_in(loop)
    asked = set(sizes(loop))
    for variable in needed:
        if inside(variable.declarator, loop):
            continue
        uses = [use for use in variable.uses if inside(use, loop)]
        whole = [use for use in uses if use.id not in bases]
        if not whole and uses:
            _refuse_changed(variable, loop, around)
            continue
        if len(whole) < len(uses) or variable.static:
            raise Unmovable
        typed = around.meaning.variables.get(around.start + _place(variable))
        hidden = by_macro.get(id(variable), [])
        if typed is None or (typed.array and (variable.name in asked or _is_whole((*uses, *hidden), around))):
            raise Unmovable
        if typed.scalar or typed.pointer:
            _refuse_bound(variable, loop, around, called)
        if hidden and variable.name in around.whole and (not typed.scalar or any(map(_is_aim, hidden))):
            raise Unmovable
        way = _way(variable, typed, loop, around, hidden=bool(hidden))
        shown = uses or [node for node in hidden if inside(node, loop)]
        yield Argument(text=variable.name, name=variable.name, typed=typed, way=way, uses=tuple(shown))


def _is_aim(macro: Node) -> bool:
    """Tell whether what a macro stands for is set, or its address taken."""
    place, parent = macro, macro.parent
    while parent is not None and parent.type in ("call_expression", "parenthesized_expression"):
        place, parent = parent, parent.parent
    if parent is None:
        return False
    if parent.type == "assignment_expression":
        return child_of(parent, "left").id == place.id
    return parent.type in ("update_expression", "pointer_expression")


def _refuse_bound(variable: Variable, loop: Node, around: Surroundings, called: Collection[str]) -> None:
    """Raise Unmovable where something else than its name may set a variable, or read one that changes."""
    changed = any(inside(write, loop) for write in variable.writes)
    place = around.start + _place(variable)
    for item in around.meaning.bindings:
        if item.variable != place:
            continue
        # What is called may have kept an address that an earlier call was given.
        known = item.lasting or _within(item.place, loop, around) or called
        if known and (item.setting or changed):
            raise Unmovable


def _place(variable: Variable) -> int:
    """Return where the name of a variable is declared."""
    names = (node for node in find(variable.declarator, "identifier") if source(node) == variable.name)
    found = next(names, None)
    if found is None:
        raise Unmovable
    return found.start_byte


def _refuse_changed(variable: Variable, loop: Node, around: Surroundings) -> None:
    """Raise Unmovable where the beginning of a path may lead elsewhere from one iteration to another."""
    if variable.static or any(inside(write, loop) and not _is_member(write) for write in variable.writes):
        raise Unmovable
    if any(_is_kept(leak) for leak in variable.leaks):
        raise Unmovable
    if any(around.start + use.start_byte in around.meaning.referred for use in variable.uses):
        raise Unmovable


def _is_member(write: Node) -> bool:
    """Tell whether only a member of a variable is set."""
    return target_of(write).type == "field_expression"


def _way(variable: Variable, typed: Typed, loop: Node, around: Surroundings, *, hidden: bool) -> Way:
    """Return how a variable gets into the function and back.

    Args:
        variable: Declared outside of the loop.
        typed: What it is.
        loop: The loop.
        around: The function that holds the loop.
        hidden: Macros name it somewhere, so that not all of its uses are to be seen.
    """
    if not (typed.scalar or typed.pointer):
        return Way.GIVEN
    referred = [use for use in variable.uses if around.start + use.start_byte in around.meaning.referred]
    if any(inside(use, loop) for use in referred) or any(_is_kept(leak) for leak in variable.leaks):
        raise Unmovable
    if any(inside(leak, loop) for leak in variable.leaks):
        raise Unmovable
    if hidden and any(name in around.assigning for name in _macros(loop)):
        raise Unmovable
    if not any(inside(write, loop) for write in variable.writes):
        return Way.GIVEN
    if typed.pointer:
        raise Unmovable
    dead = not hidden and is_dead_after(variable, loop)
    if dead and is_set_within(variable, loop):
        return Way.LOCAL
    if dead:
        return Way.GIVEN
    sets = begins_by_setting(loop, variable) and is_set_within(variable, loop)
    return Way.SET if sets else Way.CHANGED


def _macros(loop: Node) -> Iterator[str]:
    for node in find(loop, "identifier"):
        yield source(node)


def _is_kept(leak: Node) -> bool:
    """Tell whether an address or a reference outlives the call that it may be an argument of."""
    return not any(outer.type == "argument_list" for outer in (leak, *ancestors(leak))) or (
        leak.type == "lambda_capture_specifier"
    )


def _is_address(use: Node) -> bool:
    """Tell whether an expression's address is taken."""
    parent = use.parent
    return parent is not None and parent.type == "pointer_expression" and operator(parent) == "&"
