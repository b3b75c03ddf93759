"""Uses of host code in device code: functions and variables that a device cannot reach.

The emulator has one memory and one kind of function, so that it would not notice; a CUDA compiler does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from transpile.code import trees as syntax

_OF_DEVICE = re.compile(r"\b__(?:device|global|constant|managed|shared|grid_constant)__\b")
_QUALIFIER = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+((?:[^\n\\]|\\.|\\\n)*)", re.MULTILINE)
_CONSTANT = re.compile(r"\bconst(?:expr)?\b")
_DECLARING = ("function_definition", "declaration")
_WITHIN = ("compound_statement", "field_declaration_list", "parameter_list", "template_parameter_list")
_ONLY_OF_HOSTS = frozenset(
    (
        *("swap", "exchange", "iter_swap", "swap_ranges", "sort", "stable_sort", "partial_sort"),
        *("nth_element", "fill", "fill_n", "copy", "copy_n", "copy_if", "copy_backward", "transform"),
        *("for_each", "generate", "accumulate", "reduce", "inner_product", "partial_sum"),
        *("inclusive_scan", "exclusive_scan", "iota", "reverse", "rotate", "unique", "remove_if"),
        *("partition", "find", "find_if", "count", "count_if", "min_element", "max_element"),
        *("lower_bound", "upper_bound", "binary_search", "merge", "vector", "string", "map"),
        *("unordered_map", "set", "list", "deque", "function", "unique_ptr", "cout", "cerr", "endl"),
        *("to_string", "rand", "getenv"),
    )
)
"""Of ``std``: what no device has, and no flag of a compiler makes its own in C++17."""
_COMPOUND = ("array_declarator", "pointer_declarator", "reference_declarator")


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What a text defines or declares at file scope."""

    host: frozenset[str]
    """Functions and variables of the host alone."""
    device: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A name of the host in a function of the device."""

    function: str
    name: str
    line: int
    """Counted from 1."""


def qualifiers(texts: Iterable[bytes]) -> frozenset[str]:
    """Return the macros by which these texts say that something is the device's."""
    bodies = [
        (name.decode(), body.decode("utf-8", "replace"))
        for text in texts
        for name, body in _QUALIFIER.findall(text)
    ]
    found: frozenset[str] = frozenset()
    while True:
        grown = frozenset(name for name, body in bodies if _is_of_device(body, found))
        if grown == found:
            return found
        found = grown


@lru_cache(maxsize=64)
def names_of(text: bytes, macros: frozenset[str] = frozenset()) -> Names:
    """Return the names at file scope, namespaces included; constants that are no arrays are everybody's.

    Args:
        text: What declares them.
        macros: Those that say that something is the device's.
    """
    host: set[str] = set()
    device: set[str] = set()
    for node in _at_file_scope(text):
        found = device if _is_of_device(_head(node), macros) else host
        found |= {name for name in map(_declared, _declarators(node)) if name and not _constant(node, name)}
    return Names(host=frozenset(host - device), device=frozenset(device))


def uses_of_host(text: bytes, host: Collection[str], macros: frozenset[str] = frozenset()) -> Iterator[Use]:
    """Yield the uses of these names in functions of the device that do not declare them themselves.

    So are the uses of functions and classes of the standard library that only a host has.
    """
    for function in _at_file_scope(text):
        if function.type != "function_definition" or not _is_of_device(_head(function), macros):
            continue
        name = next(filter(None, map(_declared, _declarators(function))), "")
        for node in syntax.descendants(function, "identifier", "type_identifier"):
            if not _own(node) and syntax.text(node) in _ONLY_OF_HOSTS:
                yield Use(function=name, name=f"std::{syntax.text(node)}", line=node.start_point[0] + 1)
        words = [node for node in syntax.descendants(function, "identifier") if _own(node)]
        own = {syntax.text(node) for node in words if _declares(node)}
        for node in words:
            if syntax.text(node) in host and syntax.text(node) not in own:
                yield Use(function=name, name=syntax.text(node), line=node.start_point[0] + 1)


def _is_of_device(text: str, macros: frozenset[str]) -> bool:
    return _OF_DEVICE.search(text) is not None or not macros.isdisjoint(re.findall(r"\w+", text))


def _at_file_scope(text: bytes) -> Iterator[Node]:
    for node in syntax.descendants(syntax.parse(text).root_node, *_DECLARING):
        if not any(around.type in _WITHIN for around in syntax.ancestors(node)):
            yield node


def _head(node: Node) -> str:
    """Return a declaration without its body and without what it is initialised with."""
    return re.split(r"[{=]", syntax.text(node), maxsplit=1)[0]


def _declarators(node: Node) -> list[Node]:
    return node.children_by_field_name("declarator")


def _declared(node: Node | None) -> str:
    return syntax.text(syntax.declared(node))


def _constant(node: Node, name: str) -> bool:
    """Tell whether a declared name is a number that the compiler puts in its place."""
    if node.type == "function_definition":
        return "constexpr" in _head(node).split()
    inner = [item for item in _declarators(node) if _declared(item) == name]
    compound = any(
        item.type in _COMPOUND or next(syntax.descendants(item, *_COMPOUND), None) is not None
        for item in inner
    )
    return _CONSTANT.search(_head(node)) is not None and not compound


def _own(node: Node) -> bool:
    """Tell whether a name is none of the standard library's."""
    around = node.parent
    if around is not None and around.type in ("template_function", "template_type"):
        around = around.parent
    scope = around.child_by_field_name("scope") if around is not None else None
    return syntax.text(scope) not in ("std", "::std")


def _declares(node: Node) -> bool:
    parent = node.parent
    return parent is not None and node in parent.children_by_field_name("declarator")
