"""Host arrays: where their storage begins and ends, and what host code does with them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declared, parameters
from transpile.assemble.host_code.definitions import bound_to_reference, plain_name, written
from transpile.assemble.host_code.effects import Effect, Program, is_null_test
from transpile.assemble.host_code.ownership import ADDRESS_MAKERS, makes_storage, passed_apart
from transpile.assemble.host_code.tree import (
    arguments_of,
    called,
    enclosing,
    is_null,
    peel,
    text_of,
    uses,
)
from transpile.assemble.host_code.twins import Act, Event

_ENDERS = frozenset((b"free", b"cudaFreeHost", b"_mm_free", b"std::free"))
_VECTOR = re.compile(rb"(?:std::)?vector\s*<\s*([^<>]+?)\s*>")
_SIZE_ONLY = frozenset((b"size", b"empty", b"capacity"))
_ELEMENT_ACCESS = frozenset((b"begin", b"end", b"front", b"back", b"at", b"cbegin", b"cend"))
_COPIES = frozenset((b"cudaMemcpy", b"cudaMemcpyAsync", b"memcpy", b"memmove"))
_SEARCHES = frozenset(
    (
        *(b"max_element", b"min_element", b"minmax_element", b"find", b"find_if", b"find_if_not", b"search"),
        *(b"lower_bound", b"upper_bound", b"equal_range", b"partition_point", b"adjacent_find", b"unique"),
        *(b"next", b"prev", b"begin", b"end", b"data", b"span", b"ref", b"addressof", b"partition"),
        *(
            b"async",
            b"bind",
            b"make_pair",
            b"make_tuple",
            b"forward_as_tuple",
            b"string_view",
            b"reverse_iterator",
        ),
        *(b"remove", b"remove_if", b"memchr", b"strchr", b"strstr", b"strrchr", b"bsearch"),
    )
)
"""Functions of the library that return a way into what they are given."""


@dataclass(frozen=True, slots=True)
class Array:
    """A host array as a pointer expression: ``h``, ``h.data()`` or ``&h``."""

    declared: Declared
    function: Node
    text: bytes
    element: bytes
    vector: bool
    address: bool
    """It is one variable, whose address is taken."""

    @property
    def const(self) -> bool:
        """Tell whether its elements may not be written."""
        return self.declared.const

    @property
    def scope(self) -> Node:
        """Return the region in which its name means it."""
        scope = self.declared.scope
        assert scope is not None
        return self.function if self.declared.parameter else scope

    @property
    def outlives(self) -> bool:
        """Tell whether its contents matter after the function returns."""
        return self.declared.parameter

    def mentioned(self, node: Node) -> bool:
        """Tell whether a node mentions the array."""
        return next(uses(node, self.declared.name), None) is not None

    def known_apart(self, program: Program) -> bool:
        """Tell whether no other pointer of the function can lead to it: always so for what is its own."""
        return not self.declared.parameter or passed_apart(self.function, self.declared.name, program)


def array_of(side: Node, function: Node) -> Array | None:
    """Return the array that a copy's host side names in full; None for parts of arrays and members."""
    side = peel(side)
    address = False
    if side.type == "call_expression":
        callee = side.child_by_field_name("function")
        if callee is None or callee.type != "field_expression" or arguments_of(side):
            return None
        field, owner = callee.child_by_field_name("field"), callee.child_by_field_name("argument")
        if field is None or owner is None or text_of(field) != b"data" or owner.type != "identifier":
            return None
        name = owner
    elif side.type == "pointer_expression" and text_of(side).startswith(b"&"):
        argument = side.child_by_field_name("argument")
        if argument is None:
            return None
        name, address = argument, True
    else:
        name = side
    if name.type != "identifier":
        return None
    found = declared(name)
    if found is None or found.reference or found.scope is None or b"static" in text_of(found.declaration)[:7]:
        return None
    if not function.start_byte <= found.declaration.start_byte < function.end_byte:
        return None
    return _shaped(found, function, text_of(side), address)


def _shaped(found: Declared, function: Node, text: bytes, address: bool) -> Array | None:
    vector = _VECTOR.fullmatch(found.bare_type)
    if text.endswith(b".data()"):
        if vector is None or found.pointers or found.arrays:
            return None
        return Array(found, function, text, vector.group(1), True, False)
    if vector is not None or found.pointers + found.arrays != (0 if address else 1):
        return None
    return Array(found, function, text, found.bare_type, False, address)


def array_events(array: Array, function: Node, program: Program, paired: set[int]) -> list[Event] | None:
    """Return what host code does with the array, without calls at ``paired``; None if it has aliases."""
    begins = _declaration_event(array, function)
    if begins is None:
        return None
    events = list(begins)
    for use in uses(array.scope, array.declared.name):
        declaration = array.declared.declaration
        if declaration.start_byte <= use.start_byte < declaration.end_byte:
            continue
        call = _call_of(use)
        if call is not None and call.start_byte in paired and called(call) in _COPIES:
            continue
        acts = _acts(array, use, program)
        if acts is None:
            return None
        events += [Event(use.start_byte, act) for act in acts]
    return events


def _declaration_event(array: Array, function: Node) -> list[Event] | None:
    found = array.declared
    start = found.declaration.start_byte
    if found.parameter or array.vector or array.address or found.arrays:
        return [Event(start, Act.ARRAY_BEGINS)]
    value = found.value
    if value is None or is_null(value):
        return []
    return [Event(start, Act.ARRAY_BEGINS)] if makes_storage(value) else None


def _call_of(use: Node) -> Node | None:
    """Return the call in whose argument list a use stands, member calls and casts aside."""
    current = use.parent
    while current is not None and current.type not in (
        "expression_statement",
        "declaration",
        "compound_statement",
    ):
        if current.type == "call_expression" and called(current) is not None:
            return current
        current = current.parent
    return None


def _acts(array: Array, use: Node, program: Program) -> tuple[Act, ...] | None:
    """Return what one use in host code does; None where the array may be known by another name after it."""
    if enclosing(use, "lambda_expression") is not None:
        return None
    parent = use.parent
    if parent is None:
        return None
    if array.address:
        return _variable_acts(use, parent)
    if parent.type == "field_expression" and array.vector:
        return _member_acts(array, use, parent, program)
    if parent.type == "subscript_expression" and parent.child_by_field_name("argument") == use:
        outer = parent.parent
        if outer is not None and outer.type == "pointer_expression":
            return _passed(array, outer, program)
        if written(use):
            return (Act.ARRAY_READ, Act.ARRAY_WRITTEN)
        return _element_acts(parent, program)
    return _pointer_acts(array, use, parent, program)


def _element_acts(element: Node, program: Program) -> tuple[Act, ...] | None:
    """Return what happens to ``h[i]`` as a value, or as an argument that may be taken by reference."""
    outer = element.parent
    if outer is not None and outer.type == "field_expression":
        inner = outer.parent
        if inner is not None and inner.type == "call_expression":
            return (Act.ARRAY_READ, Act.ARRAY_WRITTEN)
    if outer is not None and outer.type == "argument_list":
        return (Act.ARRAY_READ, Act.ARRAY_WRITTEN) if _foreign(outer.parent, program) else (Act.ARRAY_READ,)
    if outer is not None and outer.type in ("init_declarator", "reference_declarator"):
        declarator = outer.child_by_field_name("declarator")
        if declarator is not None and declarator.type == "reference_declarator":
            return None
    return (Act.ARRAY_READ,)


_VALUE_READERS = frozenset(
    (b"printf", b"fprintf", b"fabs", b"fabsf", b"abs", b"sqrt", b"sqrtf", b"isnan", b"assert")
)


def _foreign(call: Node | None, program: Program) -> bool:
    """Tell whether a call may change an element that is its argument."""
    name = called(call) if call is not None and call.type == "call_expression" else None
    if name in _VALUE_READERS:
        return False
    definitions = program.functions.get(name, []) if name is not None else []
    return not definitions or any(
        one.reference and not one.const for f in definitions for one in parameters(f)
    )


def _variable_acts(use: Node, parent: Node) -> tuple[Act, ...] | None:
    if bound_to_reference(use):
        return None
    if parent.type == "pointer_expression" and text_of(parent).startswith(b"&"):
        call = _call_of(use)
        if call is not None and called(call) in (*_COPIES, b"scanf", b"fscanf", b"sscanf", b"fread"):
            return (Act.ARRAY_READ, Act.ARRAY_WRITTEN)
        return None
    if written(use) or _is_method_of(use):
        return (Act.ARRAY_READ, Act.ARRAY_WRITTEN)
    if parent.type == "argument_list":
        call = _call_of(use)
        name = called(call) if call is not None else None
        return (Act.ARRAY_READ,) if name in _VALUE_READERS else (Act.ARRAY_READ, Act.ARRAY_WRITTEN)
    return (Act.ARRAY_READ,)


def _is_method_of(use: Node) -> bool:
    """Tell whether a method of a variable, or of a part of it, is called."""
    current, parent = use, use.parent
    while parent is not None and parent.type in ("field_expression", "subscript_expression"):
        current, parent = parent, parent.parent
    return current != use and parent is not None and parent.type == "call_expression"


def _leads_back(call: Node) -> bool:
    """Tell whether what a call returns may be a way into the array that is used later."""
    if plain_name(call) not in _SEARCHES:
        return False
    outer = call.parent
    while outer is not None and outer.type in ("parenthesized_expression", "cast_expression"):
        outer = outer.parent
    followed = outer is not None and outer.type == "pointer_expression" and text_of(outer).startswith(b"*")
    return not followed and (outer is None or outer.type not in ("binary_expression", "expression_statement"))


def _member_acts(array: Array, use: Node, member: Node, program: Program) -> tuple[Act, ...] | None:
    field, call = member.child_by_field_name("field"), member.parent
    if field is None or call is None or call.type != "call_expression":
        return None
    if text_of(field) in _SIZE_ONLY:
        return ()
    if text_of(field) == b"data":
        return _passed(array, call, program)
    if text_of(field) not in _ELEMENT_ACCESS:
        return None
    outer = call.parent
    if outer is not None and outer.type in ("init_declarator", "assignment_expression"):
        return None
    around = enclosing(call, "call_expression", "expression_statement", "declaration")
    leads_back = around is not None and around.type == "call_expression" and _leads_back(around)
    return None if leads_back else (Act.ARRAY_READ, Act.ARRAY_WRITTEN)


def _pointer_acts(array: Array, use: Node, parent: Node, program: Program) -> tuple[Act, ...] | None:
    """Return what happens to the array's pointer by its bare name."""
    if parent.type == "delete_expression":
        return (Act.ARRAY_ENDS,)
    closest = enclosing(use, "sizeof_expression", "call_expression", "expression_statement", "declaration")
    if closest is not None and closest.type == "sizeof_expression":
        return ()
    if parent.type == "assignment_expression" and parent.child_by_field_name("left") == use:
        right = parent.child_by_field_name("right")
        if right is not None and is_null(right):
            return ()
        return (Act.ARRAY_BEGINS,) if right is not None and makes_storage(right) else None
    if parent.type == "binary_expression" and is_null_test(parent):
        return ()
    if parent.type in ("unary_expression", "condition_clause") and not text_of(parent).startswith(b"*"):
        return ()
    if parent.type == "pointer_expression":
        if text_of(parent).startswith(b"*"):
            return (Act.ARRAY_READ, Act.ARRAY_WRITTEN) if written(use) else (Act.ARRAY_READ,)
        call = _call_of(use)
        return (Act.ARRAY_BEGINS,) if call is not None and called(call) in ADDRESS_MAKERS else None
    if parent.type == "for_range_loop" and array.vector:
        return (Act.ARRAY_READ, Act.ARRAY_WRITTEN)
    if parent.type == "return_statement":
        return (Act.ARRAY_READ,)
    return _passed(array, use, program)


def _passed(array: Array, pointer: Node, program: Program) -> tuple[Act, ...] | None:
    """Return what a call does that gets the array's pointer (or one into it) as an argument."""
    current = pointer
    parent = current.parent
    while parent is not None and parent.type in (
        "cast_expression",
        "parenthesized_expression",
        "binary_expression",
    ):
        current, parent = parent, parent.parent
    call = parent.parent if parent is not None and parent.type == "argument_list" else None
    if call is None or call.type != "call_expression":
        return None
    name = called(call)
    if _leads_back(call):
        return None
    if name is None:
        function = call.child_by_field_name("function")
        qualified = text_of(function) if function is not None else b""
        return (Act.ARRAY_READ, Act.ARRAY_WRITTEN) if qualified.startswith(b"std::") else None
    if name in _ENDERS:
        return (Act.ARRAY_ENDS,)
    if name in _COPIES or name.startswith((b"cudaMemcpyToSymbol", b"cudaMemcpyFromSymbol")):
        given = arguments_of(call)
        first = bool(given) and given[0].start_byte <= pointer.start_byte < given[0].end_byte
        return (Act.ARRAY_WRITTEN,) if first else (Act.ARRAY_READ,)
    if name == b"transpile_probe":
        return (Act.ARRAY_READ,)
    if name.startswith(b"cuda"):
        return None
    effect = program.of_argument(call, current)
    if effect is None:
        return None
    return (Act.ARRAY_READ, Act.ARRAY_WRITTEN) if effect is Effect.WRITE else (Act.ARRAY_READ,)
