"""Loops around one compare-and-swap in the forms in which they are commonly written."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import (
    Function,
    arguments,
    block_statements,
    called,
    condition,
    declared_name,
    field,
    find,
    operator,
    source,
    unparenthesized,
)
from transpile.code.variables import Variable
from transpile.translators.kernels.types import Types, normal

_SWAPS = ("atomicCAS", "atomicCAS_block", "atomicCAS_system")
_AS_NUMBER = {"float": ("__int_as_float", "__uint_as_float"), "double": ("__longlong_as_double",)}
_AS_BITS = {"float": ("__float_as_int", "__float_as_uint"), "double": ("__double_as_longlong",)}
_TYPES = ("int", "unsigned", "long long", "unsigned long long", *_AS_BITS)


@dataclass(frozen=True, slots=True)
class SwapLoop:
    """One loop around a compare-and-swap, which ends where nobody has come between."""

    type: str
    """Of the element, whatever the compare-and-swap views it as."""
    address: str
    old: str
    """The variable that holds what was there before."""
    first: Node
    """The first of the declarations that belong to the loop."""
    last: Node
    """The loop itself."""
    wanted: Node
    """The new value, as a number of the element's type."""
    held: tuple[Node, ...]
    """Where it names the old value."""
    later: tuple[Node, ...]
    """Where the old value is named behind the loop."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """The variables and the statements of a loop that may be one."""

    old: str
    assumed: str
    result: Node
    """Replacement of the old value: the compare-and-swap, or the number it returns."""
    middle: tuple[Node, ...]


def loops(function: Function, types: Types, exempt: Set[int]) -> Iterator[SwapLoop]:
    """Yield the loops of a function that begin with a read of these, by where they stand."""
    for loop in find(function.body, "do_statement", "while_statement", "for_statement"):
        shape = _shape(loop)
        found = _Match(function, types, loop, shape).loop(exempt) if shape is not None else None
        if found is not None:
            yield found


@dataclass(frozen=True, slots=True)
class _Match:
    """Asks whether one loop is an update, and of what."""

    function: Function
    types: Types
    last: Node
    shape: _Shape

    def loop(self, exempt: Set[int]) -> SwapLoop | None:
        """Return the loop; None where it is no such update."""
        swap = unparenthesized(self.shape.result)
        shown = called(swap)
        if shown not in _SWAPS and len(arguments(swap)) == 1:
            swap = unparenthesized(arguments(swap)[0])
        if called(swap) not in _SWAPS or len(arguments(swap)) != 3:
            return None
        pointer, expected, bits = arguments(swap)
        element, views = self._element(pointer)
        first = self._first({self.shape.old, self.shape.assumed, *views}, exempt)
        kind = self._pointee(element)
        raw = self._raw(kind)
        if first is None or raw is None or (shown in _AS_NUMBER.get(kind, ())) != (raw and kind in _AS_BITS):
            return None
        wanted = self._wanted(bits, kind)
        if wanted is None or not self._expects(expected, kind, raw):
            return None
        held = _numbers(wanted, {self.shape.assumed}, kind, raw)
        later = self._later(first, views, kind, raw)
        if held is None or later is None:
            return None
        return SwapLoop(kind, source(element), self.shape.old, first, self.last, wanted, held, later)

    def _element(self, pointer: Node) -> tuple[Node, set[str]]:
        """Return the pointer without other views of what it points to, and the variables that are such."""
        views: set[str] = set()
        while True:
            pointer = _uncast(pointer)
            variable = self.types.variables.of(pointer) if pointer.type == "identifier" else None
            if variable is None or variable.initializer is None or not variable.constant:
                return pointer, views
            views.add(variable.name)
            pointer = variable.initializer

    def _pointee(self, pointer: Node) -> str:
        """Return the type of what a pointer leads to, if it is one that is updated; else nothing."""
        pointer = unparenthesized(pointer)
        kind: str | None = None
        if pointer.type == "pointer_expression" and operator(pointer) == "&":
            kind = self.types.of(field(pointer, "argument"))
        elif pointer.type == "binary_expression":
            return self._pointee(field(pointer, "left"))
        elif pointer.type == "identifier":
            variable = self.types.variables.of(pointer)
            kind = normal(variable.type) if variable is not None and variable.pointer else None
        return kind if kind in _TYPES else ""

    def _first(self, names: Set[str], exempt: Set[int]) -> Node | None:
        """Return the first of the declarations of these names right before the loop, which hold the read."""
        first, read, current = None, False, self.last.prev_named_sibling
        while current is not None and current.type in ("declaration", "comment"):
            declarators = current.children_by_field_name("declarator")
            if not {declared_name(item) for item in declarators} <= names:
                break
            if current.type == "declaration":
                first = current
                read |= any(current.start_byte <= at < current.end_byte for at in exempt)
            current = current.prev_named_sibling
        return first if read else None

    def _variable(self, name: str) -> Variable | None:
        return next((item for item in self.types.variables.all if item.name == name), None)

    def _raw(self, kind: str) -> bool | None:
        """Tell whether the variables are numbers of the element's type, or bits; None for neither."""
        held = [self._variable(name) for name in (self.shape.old, self.shape.assumed)]
        kinds = {normal(item.type) if item is not None else None for item in held}
        if kinds == {kind}:
            return True
        return False if kind in _AS_BITS and not kinds & {None, *_AS_BITS} else None

    def _expects(self, node: Node, kind: str, raw: bool) -> bool:
        """Tell whether the compare-and-swap expects the old value."""
        node = unparenthesized(node)
        if raw and kind in _AS_BITS:
            return called(node) in _AS_BITS[kind] and source(arguments(node)[0]) == self.shape.assumed
        return source(_uncast(node)) == self.shape.assumed

    def _wanted(self, bits: Node, kind: str) -> Node | None:
        """Return the new value as a number; None where the loop makes it otherwise."""
        own = {declared_name(item): item for part in self.shape.middle for item in _initialized(part)}
        if len(own) != len(self.shape.middle):
            return None
        node, number = unparenthesized(bits), kind not in _AS_BITS
        for _ in range(3):
            if not number and called(node) in _AS_BITS[kind]:
                node, number = unparenthesized(arguments(node)[0]), True
            elif node.type == "identifier" and source(node) in own:
                declarator = own.pop(source(node))
                declared = declarator.parent
                assert declared is not None
                if number and normal(source(field(declared, "type"))) not in (kind, None):
                    return None
                node = unparenthesized(field(declarator, "value"))
        return node if number and not own and _calm(node) else None

    def _later(self, first: Node, views: Set[str], kind: str, raw: bool) -> tuple[Node, ...] | None:
        """Return where the old value is named behind the loop; None where it is otherwise used there."""
        found: list[Node] = []
        names = {self.shape.old, self.shape.assumed}
        for node in find(self.function.body, "identifier"):
            if first.start_byte <= node.start_byte < self.last.end_byte:
                continue
            if source(node) in views:
                return None
            if source(node) in names:
                number = _number(node, kind, raw)
                if number is None or node.start_byte < first.start_byte:
                    return None
                found.append(number)
        return tuple(found)


def _shape(loop: Node) -> _Shape | None:
    """Return the parts of a loop that compares and swaps once in a turn, whatever it does with it."""
    body = [item for item in block_statements(field(loop, "body")) if item.type != "comment"]
    if loop.type == "do_statement":
        return _tested(body, condition(loop))
    test = loop.child_by_field_name("condition")
    endless = test is None or source(condition(loop)) in ("true", "1")
    bare = loop.type == "while_statement" or not any(
        loop.child_by_field_name(part) for part in ("initializer", "update")
    )
    if not endless or not bare or not body or body[-1].type != "if_statement":
        return None
    end = block_statements(field(body[-1], "consequence"))
    if len(end) != 1 or end[0].type != "break_statement" or body[-1].child_by_field_name("alternative"):
        return None
    return _tested(body[:-1], condition(body[-1]), "==")


def _tested(body: list[Node], test: Node, sign: str = "!=") -> _Shape | None:
    """Return the parts: what is assumed to be there, and what was there, compared in the end."""
    if test.type != "binary_expression" or operator(test) != sign or not body:
        return None
    sides = [unparenthesized(field(test, side)) for side in ("left", "right")]
    inner = [item for item in sides if item.type == "assignment_expression"]
    last = inner[0] if inner else _assignment(body[-1])
    middle = body[1:] if inner else body[1:-1]
    start = _assignment(body[0])
    if last is None or start is None or operator(last) != "=" or operator(start) != "=":
        return None
    old, assumed = source(field(last, "left")), source(field(start, "left"))
    compared = {old if item.type == "assignment_expression" else _shown(item) for item in sides}
    if source(field(start, "right")) != old or compared != {old, assumed} or start.id == last.id:
        return None
    return _Shape(old, assumed, field(last, "right"), tuple(middle))


def _assignment(statement: Node) -> Node | None:
    parts = statement.named_children
    whole = statement.type == "expression_statement" and len(parts) == 1
    return parts[0] if whole and parts[0].type == "assignment_expression" else None


def _shown(node: Node) -> str:
    """Return the variable whose value, or whose bits, are compared."""
    if node.type == "call_expression" and any(called(node) in names for names in _AS_BITS.values()):
        node = unparenthesized(arguments(node)[0])
    return source(node)


def _initialized(statement: Node) -> list[Node]:
    """Return the declarators with an initial value, where a statement declares nothing else."""
    if statement.type != "declaration":
        return []
    declarators = statement.children_by_field_name("declarator")
    return declarators if all(item.type == "init_declarator" for item in declarators) else []


def _uncast(pointer: Node) -> Node:
    """Return an expression without casts of it."""
    pointer = unparenthesized(pointer)
    if pointer.type == "cast_expression":
        return _uncast(field(pointer, "value"))
    if pointer.type == "call_expression" and called(pointer) in ("reinterpret_cast", "static_cast"):
        return _uncast(arguments(pointer)[0])
    return pointer


def _number(node: Node, kind: str, raw: bool) -> Node | None:
    """Return the expression that is a variable's value as a number of that type."""
    if raw or kind not in _AS_NUMBER:
        return node
    call = node.parent.parent if node.parent is not None else None
    if call is None or call.type != "call_expression" or called(call) not in _AS_NUMBER[kind]:
        return None
    return call


def _numbers(within: Node, names: Set[str], kind: str, raw: bool) -> tuple[Node, ...] | None:
    """Return where variables are named as numbers; None where one is named otherwise."""
    found = [_number(node, kind, raw) for node in find(within, "identifier") if source(node) in names]
    return None if None in found else tuple(node for node in found if node is not None)


def _calm(node: Node) -> bool:
    """Tell whether an expression changes nothing."""
    return not any(find(node, "assignment_expression", "update_expression", "lambda_expression"))
