"""Effects of a call on the memory behind a pointer argument."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declared, parameters
from transpile.assemble.host_code.definitions import Definitions, bound_to_reference, written
from transpile.assemble.host_code.kept_pointers import is_kept
from transpile.assemble.host_code.tree import (
    arguments_of,
    called,
    enclosing,
    function_of,
    is_null,
    of_type,
    parse,
    text_of,
    uses,
)

_DEPTH = 5
_READERS = frozenset((b"printf", b"fprintf", b"memcmp", b"fwrite", b"assert", b"sizeof", b"strcmp", b"puts"))


class Effect(Enum):
    """What becomes of the memory; nothing keeps the pointer."""

    CONST = auto()
    """Only read, and the parameter says so."""
    READ = auto()
    WRITE = auto()
    """May be written, and read."""


@dataclass(frozen=True, slots=True)
class Program:
    """The functions of a program's files by name, and which of them are kernels."""

    files: Mapping[str, bytes]
    kernels: frozenset[bytes]
    functions: dict[bytes, list[Node]]
    known: Definitions

    @classmethod
    def of(cls, files: Mapping[str, bytes], kernels: frozenset[bytes]) -> Program:
        """Index the functions of some files; ``kernels`` names those that look like host functions."""
        functions: dict[bytes, list[Node]] = {}
        found = set(kernels)
        for data in files.values():
            for function in of_type(parse(data), "function_definition"):
                name = function_name(function)
                functions.setdefault(name, []).append(function)
                body = function.child_by_field_name("body")
                head = data[function.start_byte : body.start_byte] if body is not None else b""
                if b"__global__" in head:
                    found.add(name)
        return cls(files, frozenset(found), functions, Definitions.of(files.values()))

    def effect(self, name: bytes | None, position: int, depth: int = 0) -> Effect | None:
        """Return what a call of that name does behind an argument; None where it may keep the pointer."""
        if name is None or depth > _DEPTH:
            return None
        definitions = self.functions.get(name)
        if definitions is None:
            if self.known.may_assign(name, position):  # such as swap: the pointer leads elsewhere then
                return None
            return Effect.READ if name in _READERS else Effect.WRITE
        effects = [self._of_definition(name, function, position, depth) for function in definitions]
        if not effects or None in effects:
            return None
        return max((effect for effect in effects if effect is not None), key=lambda effect: effect.value)

    def _of_definition(self, name: bytes, function: Node, position: int, depth: int) -> Effect | None:
        own = list(parameters(function))
        body = function.child_by_field_name("body")
        if position >= len(own) or body is None:
            return None
        parameter = own[position]
        if name in self.kernels:
            if is_kept(parameter, function, self.functions):
                return None
            if parameter.const:
                return Effect.CONST
            return Effect.READ if self._only_read(parameter, body) else Effect.WRITE
        if parameter.pointers + parameter.arrays != 1 or parameter.reference:
            return None
        return self._of_body(parameter, function, body, depth)

    def _only_read(self, parameter: Declared, body: Node) -> bool:
        for use in uses(body, parameter.name):
            element = use.parent
            if element is None or element.type != "subscript_expression" or written(use):
                return False
            if bound_to_reference(use) or self.known.changed_by_call(use):
                return False
            if element.child_by_field_name("argument") != use or self._by_reference(element):
                return False
        return True

    def _by_reference(self, element: Node) -> bool:
        """Tell whether an element is an argument of something that may take it by reference."""
        call = enclosing(element, "call_expression", "expression_statement", "declaration")
        if call is None or call.type != "call_expression":
            return False
        name = called(call)
        if element.parent is None or element.parent.type != "argument_list":
            return False
        if name is None:
            return True
        definitions = self.functions.get(name, [])
        if any(parameter.reference for function in definitions for parameter in parameters(function)):
            return True
        return not definitions and any(b"define " + name + b"(" in data for data in self.files.values())

    def _of_body(self, parameter: Declared, function: Node, body: Node, depth: int) -> Effect | None:
        """Return what a host function does behind a parameter: elements used, handed on, copied."""
        worst = Effect.CONST if parameter.const else Effect.READ
        keeps_nothing = parameter.const and _only_local(function)
        for use in uses(body, parameter.name):
            effect = self._of_use(use, depth, keeps_nothing=keeps_nothing)
            if effect is None:
                return None
            if effect is Effect.WRITE and not parameter.const:
                worst = Effect.WRITE
        return worst

    def _of_use(self, use: Node, depth: int, *, keeps_nothing: bool = False) -> Effect | None:
        parent = use.parent
        if parent is None or enclosing(use, "lambda_expression") is not None:
            return None
        if parent.type == "subscript_expression" and parent.child_by_field_name("argument") == use:
            if parent.parent is not None and parent.parent.type == "pointer_expression":
                return None
            if bound_to_reference(use):
                return None
            return Effect.WRITE if written(use) or self._by_reference(parent) else Effect.READ
        if parent.type == "binary_expression" and is_null_test(parent):
            return Effect.READ
        if keeps_nothing and parent.type in (
            "assignment_expression",
            "init_declarator",
            "cast_expression",
            "binary_expression",
        ):
            return Effect.READ
        if (
            parent.type == "argument_list"
            and parent.parent is not None
            and parent.parent.type == "call_expression"
        ):
            return self.of_argument(parent.parent, use, depth)
        return None

    def of_argument(self, call: Node, argument: Node, depth: int = 0) -> Effect | None:
        """Return what a call does behind one of its arguments, runtime copies included."""
        name = called(call)
        given = arguments_of(call)
        position = next(
            (i for i, node in enumerate(given) if node.start_byte <= argument.start_byte < node.end_byte), -1
        )
        if name in (
            b"cudaMemcpy",
            b"cudaMemcpyAsync",
            b"memcpy",
            b"memmove",
            b"cudaMemset",
            b"cudaMemsetAsync",
        ):
            return Effect.WRITE if position == 0 else Effect.READ
        if name is not None and name.startswith(b"cuda"):
            return None
        return self.effect(name, position, depth + 1)


def _only_local(function: Node) -> bool:
    """Tell whether a function returns a number and assigns to nothing but its own variables."""
    kind, body = function.child_by_field_name("type"), function.child_by_field_name("body")
    outer = function.child_by_field_name("declarator")
    if kind is None or body is None or outer is None or outer.type != "function_declarator":
        return False
    if kind.type not in ("primitive_type", "sized_type_specifier") and not text_of(kind).endswith(b"_t"):
        return False
    if b"static" in text_of(body):
        return False
    for assignment in of_type(body, "assignment_expression"):
        left = assignment.child_by_field_name("left")
        name = next(of_type(left, "identifier"), None) if left is not None else None
        found = declared(name) if name is not None else None
        if found is None or found.reference or function_of(found.declaration) != function:
            return False
        if left != name and (found.pointers or found.parameter):
            return False
    return True


def function_name(function: Node) -> bytes:
    """Return the plain name of a function definition; empty for what is qualified or an operator."""
    declarator = next(
        of_type(function.child_by_field_name("declarator") or function, "function_declarator"), None
    )
    own = declarator.child_by_field_name("declarator") if declarator is not None else None
    return text_of(own) if own is not None and own.type == "identifier" else b""


def is_null_test(node: Node) -> bool:
    """Tell whether an expression compares with a null pointer."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None or text_of(operator) not in (b"==", b"!="):
        return False
    return any(is_null(side) for side in (left, right))
