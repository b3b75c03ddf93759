"""Definitions of a program by name: functions, methods, macros, and the arguments that they may change."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tree_sitter import Node

from transpile.assemble.host_code.declarations import declared
from transpile.assemble.host_code.tree import arguments_of, function_of, of_type, parse, text_of
from transpile.code.lexer import Kind, Macro, Token, closing, split, tokenize

_REFERENCES = ("reference_declarator", "abstract_reference_declarator")
_DEPTH = 3
_REST = 16
"""So many arguments of a parameter pack are looked at."""
_CHANGING = frozenset((b"swap", b"exchange", b"ref", b"tie", b"getline", b"iter_swap", b"from_chars"))
"""Functions of the standard library that change what they are given by its name."""


_Body: TypeAlias = tuple[frozenset[bytes], frozenset[bytes]]
"""The names that a function assigns to beside its own variables, and those of what it calls."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """The functions and macros of a program by their plain names."""

    functions: Mapping[bytes, tuple[Node, ...]]
    macros: Mapping[bytes, tuple[Macro, ...]]
    references: Mapping[bytes, frozenset[int]]
    """Positions of the arguments that a function or macro may assign to."""
    bodies: Mapping[bytes, tuple[_Body, ...]]

    @classmethod
    def of(cls, files: Iterable[bytes]) -> Definitions:
        """Index what some files define and declare."""
        functions: dict[bytes, tuple[Node, ...]] = {}
        macros: dict[bytes, tuple[Macro, ...]] = {}
        references: dict[bytes, frozenset[int]] = {}
        bodies: dict[bytes, tuple[_Body, ...]] = {}
        for data in files:
            own, taken = _of_file(data)
            for name, node, body in own:
                functions[name] = (*functions.get(name, ()), node)
                bodies[name] = (*bodies.get(name, ()), body)
            for name, positions in taken:
                references[name] = references.get(name, frozenset()) | positions
            for macro in tokenize(data).macros:
                macros[macro.name] = (*macros.get(macro.name, ()), macro)
        return cls(functions, macros, references, bodies)

    def changed_by_call(self, use: Node) -> bool:
        """Tell whether a variable is an argument here that a call may assign to."""
        place = _outermost(use)
        listed = place.parent
        call = listed.parent if listed is not None and listed.type == "argument_list" else None
        if call is None or call.type != "call_expression":
            return False
        position = next((i for i, node in enumerate(arguments_of(call)) if node == place), -1)
        return self.may_assign(plain_name(call), position)

    def may_assign(self, name: bytes, position: int, depth: int = _DEPTH) -> bool:
        """Tell whether what is called by a name may assign to the variable that is its argument."""
        if name in _CHANGING or position in self.references.get(name, ()):
            return True
        return depth > 0 and any(
            self.may_assign(callee, place, depth - 1)
            for macro in self.macros.get(name, ())
            for callee, place in _handed_on(macro, position)
        )

    def assigned_by_calls(self, function: Node, name: bytes) -> bool:
        """Tell whether what a function calls may assign to a variable of that name which is not its own."""
        waiting, seen = {plain_name(call) for call in of_type(function, "call_expression")}, set[bytes]()
        while waiting:
            callee = waiting.pop()
            seen.add(callee)
            for assigned, called in self.bodies.get(callee, ()):
                if name in assigned:
                    return True
                waiting |= called - seen
        return False


def written(node: Node) -> bool:
    """Tell whether a use may change the variable: assignment, increment, address, input operator."""
    current = _outermost(node)
    parent = current.parent
    if parent is None:
        return False
    if parent.type == "assignment_expression":
        return parent.child_by_field_name("left") == current
    if parent.type == "update_expression":
        return True
    if parent.type == "binary_expression" and parent.child_by_field_name("right") == current:
        operator = parent.child_by_field_name("operator")
        return operator is not None and text_of(operator) == b">>"
    if parent.type == "pointer_expression":
        return text_of(parent).startswith(b"&")
    return parent.type == "reference_declarator"


def plain_name(call: Node) -> bytes:
    """Return the last part of the name that a call names: ``f`` of ``f<T>``, ``a::f`` and ``x->f``."""
    node = call.child_by_field_name("function")
    while node is not None and node.type not in ("identifier", "field_identifier"):
        node = node.child_by_field_name("name") or node.child_by_field_name("field")
    return text_of(node) if node is not None else b""


def bound_to_reference(use: Node) -> bool:
    """Tell whether a variable gets another name here: ``int &other = variable;``."""
    place = _outermost(use)
    owner = place.parent
    if owner is None or owner.type not in ("init_declarator", "for_range_loop"):
        return False
    declarator = owner.child_by_field_name("declarator")
    value = owner.child_by_field_name("value") or owner.child_by_field_name("right")
    return declarator is not None and declarator.type == "reference_declarator" and value == place


def _outermost(use: Node) -> Node:
    """Return the variable with the members, subscripts and parentheses around it."""
    current, parent = use, use.parent
    while parent is not None and parent.type in (
        "field_expression",
        "subscript_expression",
        "parenthesized_expression",
    ):
        if parent.type == "subscript_expression" and parent.child_by_field_name("argument") != current:
            break
        current, parent = parent, parent.parent
    return current


@functools.lru_cache(maxsize=256)
def _of_file(
    data: bytes,
) -> tuple[tuple[tuple[bytes, Node, _Body], ...], tuple[tuple[bytes, frozenset[int]], ...]]:
    """Return the functions that a file defines, and what its functions and macros assign to."""
    root = parse(data)
    functions, taken = [], []
    for declarator in of_type(root, "function_declarator"):
        name = _declared_name(declarator)
        definition: Node | None = declarator.parent
        while definition is not None and definition.type in (*_REFERENCES, "pointer_declarator"):
            definition = definition.parent
        if name and definition is not None and definition.type == "function_definition":
            functions.append((name, definition, _body(definition)))
        taken.append((name, _reference_positions(declarator)))
    for closure in of_type(root, "lambda_expression"):
        owner, head = closure.parent, closure.child_by_field_name("declarator")
        named = owner.child_by_field_name("declarator") if owner is not None else None
        if head is not None and named is not None and named.type == "identifier":
            taken.append((text_of(named), _reference_positions(head)))
    for macro in tokenize(data).macros:
        taken.append((macro.name, frozenset(_assigned_parameters(macro))))
    return tuple(functions), tuple((name, positions) for name, positions in taken if positions)


def _body(function: Node) -> _Body:
    """Return what a function assigns to beside its own variables, and what it calls."""
    assigned = {
        text_of(node)
        for node in of_type(function, "identifier", "field_identifier")
        if (written(node) or bound_to_reference(node)) and not _is_local(node)
    }
    called = {plain_name(call) for call in of_type(function, "call_expression")}
    return frozenset(assigned), frozenset(called)


def _is_local(node: Node) -> bool:
    found = declared(node) if node.type == "identifier" else None
    return found is not None and not found.reference and function_of(found.declaration) is not None


def _declared_name(declarator: Node) -> bytes:
    node = declarator.child_by_field_name("declarator")
    while node is not None and node.type == "qualified_identifier":
        node = node.child_by_field_name("name")
    return text_of(node) if node is not None and node.type in ("identifier", "field_identifier") else b""


def _reference_positions(declarator: Node) -> frozenset[int]:
    listed = declarator.child_by_field_name("parameters")
    found: set[int] = set()
    for position, one in enumerate(
        [child for child in listed.named_children if child.type != "comment"] if listed is not None else ()
    ):
        reference = next(of_type(one, *_REFERENCES), None)
        if reference is None or b"const" in text_of(one)[: reference.start_byte - one.start_byte].split():
            continue
        several = one.type == "variadic_parameter_declaration" or b"..." in text_of(one)
        found.update(range(position, position + (_REST if several else 1)))
    return frozenset(found)


def _assigned_parameters(macro: Macro) -> Iterator[int]:
    """Yield the parameters of a macro that its body assigns to, counts, or takes the address of."""
    body = macro.body
    for index, token in enumerate(body):
        if token.text not in (macro.parameters or ()) or token.kind is not Kind.WORD:
            continue
        if _is_changed(body[:index], body[index + 1 :]):
            assert macro.parameters is not None
            yield macro.parameters.index(token.text)


def _handed_on(macro: Macro, position: int) -> Iterator[tuple[bytes, int]]:
    """Yield what the body of a macro calls with one of its parameters, and as which argument."""
    names = macro.parameters or ()
    for index, token in enumerate(macro.body[:-1]):
        called_here = token.kind is Kind.WORD and macro.body[index + 1].text == b"("
        close = closing(macro.body, index + 1) if called_here else None
        for place, part in enumerate(split(macro.body[index + 2 : close])) if close is not None else ():
            if position < len(names) and [item.text for item in part] == [names[position]]:
                yield token.text, place


def _is_changed(before: tuple[Token, ...], behind: tuple[Token, ...]) -> bool:
    while before and behind and before[-1].text == b"(" and behind[0].text == b")":
        before, behind = before[:-1], behind[1:]
    left = b"".join(token.text for token in before[-2:])
    right = b"".join(token.text for token in behind[:3])
    if left.endswith((b"++", b"--")) or (left.endswith(b"&") and not left.endswith(b"&&")):
        return True
    if right.startswith((b"++", b"--", b"<<=", b">>=")):
        return True
    compound = right[:1] in (b"+", b"-", b"*", b"/", b"%", b"&", b"|", b"^")
    assigned = right[1:] if compound else right
    return assigned.startswith(b"=") and not assigned.startswith(b"==")
