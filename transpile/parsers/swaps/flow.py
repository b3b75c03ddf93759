"""Where the values of plain reads of one address go within a function.

An abstract interpretation of its text: every variable holds reads that are not confirmed yet. What a
compare-and-swap of the address makes of them is exempt, since it does nothing where memory has changed. Any
other effect that depends on one, by its value or by whether it happens, is a leak.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from transpile.code.trees import descendants, text
from transpile.parsers.swaps.names import (
    SWAPS,
    Names,
    arguments,
    bare,
    called,
    calls_of,
    child,
    declared,
    kind_of,
    operator,
    reference,
    viewed,
)
from transpile.parsers.swaps.pure import BITS, computes
from transpile.parsers.swaps.values import CLEAN, Leaked, Value, derived, outdated

_CASTS = ("reinterpret_cast", "static_cast", "const_cast")
_CONSTANTS = (
    "number_literal",
    "true",
    "false",
    "char_literal",
    "null",
    "string_literal",
    "sizeof_expression",
)


@dataclass(slots=True)
class Expressions:
    """Evaluates the expressions of a function for one address."""

    address: str
    names: Names
    functions: Sequence[Node]
    state: dict[str, Value] = field(default_factory=dict)
    control: frozenset[str] = frozenset()
    """Reads that decide whether what is looked at runs."""
    returned: frozenset[str] = frozenset()
    """Reads by which some threads have returned already."""
    found: dict[int, Node] = field(default_factory=dict)
    """The plain reads, by where they begin."""

    def value(self, node: Node) -> Value:
        """Return what an expression depends on, having done what it does."""
        node = bare(node)
        if node.type in _CONSTANTS:
            return CLEAN
        match node.type:
            case "identifier":
                return self._named(node)
            case "subscript_expression" | "field_expression":
                return self._element(node)
            case "pointer_expression":
                return self._pointer(node)
            case "cast_expression":
                return self._converted(self.value(child(node, "value")), text(child(node, "type")))
            case "assignment_expression":
                return self._assignment(node)
            case "update_expression":
                return self._stored(child(node, "argument"), derived(self._old(child(node, "argument"))))
            case "binary_expression":
                return self._binary(node)
            case "unary_expression":
                return self._unary(node)
            case "conditional_expression":
                return self._conditional(node)
            case "call_expression":
                return self._call(node)
            case "comma_expression":
                self.value(child(node, "left"))
                return self.value(child(node, "right"))
            case _:
                return self._unknown(node)

    def effect(self, *values: Value) -> None:
        """Take note of what others may see; raises Leaked where it depends on an unconfirmed read."""
        if self.control or self.returned or any(value.tainted for value in values):
            raise Leaked
        if "[" in self.address.partition("[")[2] or "*" in self.address:
            self.state = outdated(self.state)  # the address itself comes from memory

    def assign(self, name: str, value: Value) -> None:
        """Let a local variable hold a value."""
        if name in self.names.handed_on and (value.tainted or self.control):
            raise Leaked
        own = self.names.kind(name)
        same = not own or not value.kind or own == value.kind or self.names.union(name)
        kept = value if same else replace(derived(value), kind=own)
        kept = replace(kept, decided=kept.decided | self.control, kind=own or value.kind)
        self.state[name] = replace(kept, kind="") if self.names.union(name) else kept
        self.moved(name)

    def moved(self, name: str) -> None:
        """Take note that a variable has a new value: the address may be named by it."""
        if name in _words(self.address):
            self.state = outdated(self.state)

    # -- reads

    def _named(self, node: Node) -> Value:
        name = text(node)
        if not self.names.local(name) and self.names.place(node) == self.address:
            return self._read(node)
        return self.state.get(name, replace(CLEAN, kind=self.names.kind(name)))

    def _read(self, node: Node) -> Value:
        self.found[node.start_byte] = node
        read = f"{node.start_byte}"
        return Value(
            reads=frozenset({read}), exact=True, decided=self.control, kind=self.names.element_kind(node)
        )

    def _element(self, node: Node) -> Value:
        owner = bare(child(node, "argument"))
        if self._is_member(node):
            held = self.state.get(text(owner), CLEAN)
            return held if self.names.union(text(owner)) else derived(held)
        parts = [self.value(child(node, "argument"))]
        if node.type == "subscript_expression":
            parts += [self.value(item) for item in child(node, "indices").named_children]
        if self.names.place(node) == self.address:
            if any(part.tainted for part in parts):
                raise Leaked
            return self._read(node)
        return derived(*parts)

    def _is_member(self, node: Node) -> bool:
        """Tell whether an expression is a member of a local variable."""
        owner = bare(child(node, "argument"))
        member = node.type == "field_expression" and operator(node) == "."
        return member and owner.type == "identifier" and self.names.local(text(owner))

    def _pointer(self, node: Node) -> Value:
        inner = bare(child(node, "argument"))
        if operator(node) == "&":
            if inner.type == "identifier" and self.names.local(text(inner)):
                whole = viewed(node)
                held = self.state.get(text(inner), CLEAN)
                if whole is None and held.tainted:
                    raise Leaked
                return replace(held, kind="") if whole is not None else CLEAN
            return derived(*(self.value(item) for item in _indices(inner)))
        if self.names.place(node) == self.address:
            if self.value(inner).tainted:
                raise Leaked
            return self._read(node)
        held = self.value(inner)
        # Of a view of a variable the bits are the variable's, of anything else only the place is known.
        seen = any(viewed(item) == node for item in descendants(node, "pointer_expression"))
        return replace(held, kind=self.names.element_kind(node)) if seen else derived(held)

    def _converted(self, value: Value, kind: str) -> Value:
        if "*" in kind or "&" in kind:
            return value
        to = kind_of(kind)
        same = not value.kind or value.kind == to
        return replace(value, kind=to) if same else replace(derived(value), kind=to)

    # -- what is done

    def _old(self, target: Node) -> Value:
        """Return what is changed in place; memory is written there as well, and stays a plain access."""
        target = bare(target)
        return self.value(target) if target.type == "identifier" and self.names.local(text(target)) else CLEAN

    def _assignment(self, node: Node) -> Value:
        value = self.value(child(node, "right"))
        if operator(node) != "=":
            value = derived(value, self._old(child(node, "left")))
        return self._stored(child(node, "left"), value)

    def _stored(self, target: Node, value: Value) -> Value:
        target = bare(target)
        if target.type == "identifier" and self.names.local(text(target)):
            self.assign(text(target), value)
            return value
        if self._is_member(target):
            owner = bare(child(target, "argument"))
            held = self.state.get(text(owner), CLEAN)
            self.assign(text(owner), value if self.names.union(text(owner)) else derived(held, value))
            return value
        self.effect(value, *(self.value(item) for item in _indices(target)))
        return value

    def _binary(self, node: Node) -> Value:
        sign = operator(node)
        before = dict(self.state)
        left, right = self.value(child(node, "left")), self.value(child(node, "right"))
        if sign in ("&&", "||") and self.state != before:
            raise Leaked
        value = derived(left, right)
        if sign in ("==", "!="):
            for one, other in ((left, right), (right, left)):
                if other.swapped and one.exact and one.reads == frozenset({other.swapped}):
                    return replace(value, confirms=(other.swapped, sign == "=="))
        return value

    def _unary(self, node: Node) -> Value:
        value = self.value(child(node, "argument"))
        confirms = (value.confirms[0], not value.confirms[1]) if value.confirms else None
        return replace(derived(value), confirms=confirms if operator(node) == "!" else None)

    def _conditional(self, node: Node) -> Value:
        before = dict(self.state)
        parts = [self.value(child(node, name)) for name in ("condition", "consequence", "alternative")]
        inner = [item for item in descendants(node, "call_expression") if not self._computes(item)]
        if self.state != before or (parts[0].tainted and inner):
            raise Leaked
        return derived(*parts)

    def _computes(self, call: Node) -> bool:
        return called(call) in BITS or called(call) in _CASTS or computes(called(call), self.functions)

    def _call(self, node: Node) -> Value:
        name, given = called(node), arguments(node)
        if name in SWAPS and len(given) == 3 and self.names.pointed(given[0]) == self.address:
            return self._swap(given)
        if name in BITS and len(given) == 1:
            return replace(self.value(given[0]), kind=BITS[name])
        if name in _CASTS and len(given) == 1:
            return self._converted(self.value(given[0]), text(child(child(node, "function"), "arguments")))
        values = [self.value(item) for item in given]
        if self._computes(node):
            return derived(*values)
        function = child(node, "function")
        if function.type == "field_expression":
            values.append(self.value(child(function, "argument")))
        self.effect(*values)
        return CLEAN

    def _swap(self, given: list[Node]) -> Value:
        """Return what a compare-and-swap returns; raises Leaked where it does not expect what was read."""
        if any(_changes(item) for item in given) or self.value(given[0]).tainted:
            raise Leaked
        expected, wanted = self.value(given[1]), self.value(given[2])
        if not wanted.reads <= expected.reads or not wanted.decided <= expected.tainted:
            raise Leaked
        if expected.reads and (len(expected.reads) > 1 or not expected.exact):
            raise Leaked
        (read,) = expected.reads or ("",)
        return Value(swapped=read, decided=self.control)

    def _unknown(self, node: Node) -> Value:
        """Go past what is not understood, if nothing that matters is in it."""
        held = [self.state.get(text(item), CLEAN) for item in descendants(node, "identifier")]
        if any(value.tainted for value in held) or any(calls_of(node, SWAPS)):
            raise Leaked
        places = descendants(node, "pointer_expression", "subscript_expression", "field_expression")
        if self.control or any(self.names.place(item) == self.address for item in places):
            raise Leaked
        return CLEAN

    def declare(self, declarator: Node) -> None:
        """Declare a variable, with its initial value."""
        name, initial = declared(declarator), declarator.child_by_field_name("value")
        value = self.value(initial) if initial is not None and declarator.type == "init_declarator" else CLEAN
        if reference(declarator) or name in self.names.lasting:
            self.effect(value)
            self.moved(name)
        else:
            self.assign(name, value)


def _changes(node: Node) -> list[Node]:
    kinds = ("assignment_expression", "update_expression")
    return [item for item in (node, *descendants(node, *kinds)) if item.type in kinds]


def _indices(place: Node) -> list[Node]:
    """Return the expressions that an lvalue is found by."""
    place = bare(place)
    if place.type == "subscript_expression":
        return [child(place, "argument"), *child(place, "indices").named_children]
    if place.type in ("field_expression", "pointer_expression"):
        return [child(place, "argument")]
    return []


def _words(address: str) -> set[str]:
    word, found = "", set[str]()
    for letter in address + " ":
        if letter.isalnum() or letter == "_":
            word += letter
        else:
            found.add(word)
            word = ""
    return found
