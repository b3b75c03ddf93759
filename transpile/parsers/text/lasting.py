"""Variables that outlive a call and may change: what one call leaves there, the next one finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.trees import ancestors, declared, descendants, inner_declarator, parse, text

_OF_THREAD = ("thread_local", "_Thread_local", "__thread")
_IN_FUNCTIONS = ("compound_statement", "parameter_list", "template_parameter_list")
_MEMBERS = "field_declaration"
_TYPES = ("struct_specifier", "class_specifier", "union_specifier")
_CONSTANT = ("const", "constexpr")
_COMPOUND = ("array_declarator", "init_declarator", "parenthesized_declarator", "attributed_declarator")
_LOCKS = ("mutex", "once_flag", "condition_variable")
"""Types whose objects are made to be shared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting:
    """A variable with static storage duration that is not constant."""

    name: str
    line: int
    """Counted from 1."""


def lasting(data: bytes) -> Iterator[Lasting]:
    """Yield the variables of a text that outlive a call, but for constants and those of one thread.

    Not followed are macros: a declaration that one of them makes is not seen.
    """
    for declaration in descendants(parse(data).root_node, "declaration", _MEMBERS):
        if not _outlives(declaration):
            continue
        for declarator in declaration.children_by_field_name("declarator"):
            name = None if _is_function(declarator) else declared(declarator)
            if name is not None and not _is_constant(declaration, declarator):
                yield Lasting(name=text(name), line=name.start_point.row + 1)


def of_threads(data: bytes) -> Iterator[Lasting]:
    """Yield the arrays of a text that each thread has its own of, and objects of the text's own types."""
    root = parse(data).root_node
    own = {text(item.child_by_field_name("name")) for item in descendants(root, *_TYPES)} - {""}
    for declaration in descendants(root, "declaration", _MEMBERS):
        if not {text(child) for child in declaration.children} & set(_OF_THREAD):
            continue
        kind = declaration.child_by_field_name("type")
        whole = kind is not None and (kind.type in _TYPES or text(kind) in own or "array<" in text(kind))
        for declarator in declaration.children_by_field_name("declarator"):
            name = declared(declarator)
            if name is not None and _is_held(declarator, whole=whole):
                yield Lasting(name=text(name), line=name.start_point.row + 1)


def _is_held(declarator: Node | None, *, whole: bool) -> bool:
    """Tell whether a variable is an array, or is of a type that it is held whole of, and no pointer."""
    found = whole
    while declarator is not None:
        if declarator.type in ("pointer_declarator", "reference_declarator", "function_declarator"):
            found = False
        found |= declarator.type == "array_declarator"
        declarator = inner_declarator(declarator)
    return found


def _outlives(declaration: Node) -> bool:
    given = {text(child) for child in declaration.children}
    kind = text(declaration.child_by_field_name("type"))
    if given & {*_OF_THREAD, "extern", "__shared__", "typedef"} or any(lock in kind for lock in _LOCKS):
        return False
    local = declaration.type == _MEMBERS or any(node.type in _IN_FUNCTIONS for node in ancestors(declaration))
    return "static" in given or not local


def _is_function(declarator: Node | None) -> bool:
    """Tell whether a declarator declares a function, and no pointer to one."""
    while declarator is not None:
        inner = inner_declarator(declarator)
        if declarator.type == "function_declarator":
            return inner is None or inner.type != "parenthesized_declarator"
        declarator = inner
    return False


def _is_constant(declaration: Node, declarator: Node) -> bool:
    """Tell whether the variable itself, not only what it points to, is constant."""
    node: Node | None = declarator
    while node is not None and node.type in _COMPOUND:
        node = node.child_by_field_name("declarator") or next(iter(node.named_children), None)
    held = node if node is not None and node.type == "pointer_declarator" else declaration
    given = {text(child) for child in held.children if child.type in ("type_qualifier", "const")}
    whole = {text(child) for child in declaration.children}
    return "constexpr" in whole or bool(given & set(_CONSTANT))
