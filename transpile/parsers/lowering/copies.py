"""Functions that take or return structs by value, for builds that watch every access.

Where a call passes an element by value, or its result becomes one (``q[i] = turned(q[j])``), gcc reads and
writes them as parts of the call, and its thread sanitizer watches assignments alone. Inlined, they are such.
What stays a call passes copies, and has its result copied (``watched_calls``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from tree_sitter import Node

from transpile.code.edits import Edit, apply
from transpile.code.trees import declared, descendants, parse, text
from transpile.core import Signature
from transpile.parsers.lowering.watched_calls import (
    Passing,
    common,
    has_complex_numbers,
    last_name,
    with_copies,
)

_INLINED = b"__attribute__((always_inline)) "
_CLASSES = frozenset({"type_identifier", "template_type", "qualified_identifier", "struct_specifier"})
_APART = frozenset({"pointer_declarator", "reference_declarator", "array_declarator", "function_declarator"})
"""Declarators of what is not passed by value."""
_BRANCHES = (
    *("if_statement", "while_statement", "for_statement", "do_statement", "for_range_loop"),
    *("conditional_expression", "switch_statement", "&&", "||"),
)
_NEVER = ("__global__", "noinline", "alloca", "setjmp", "va_list", "asm", "virtual", "always_inline")
"""Words of functions that are not inlined, or are anyway."""


def watched_copies(
    files: Mapping[str, bytes], signatures: Iterable[Signature], *, branching: bool
) -> dict[str, bytes]:
    """Return files whose calls assign the structs that they pass and return by value. No line moves.

    Args:
        files: Texts by path.
        signatures: Of the functions that are called by themselves, and stay as they are.
        branching: Whether functions with branches are inlined, too: then each call has branches of its own.
    """
    names = frozenset(last_name(item.callable) for item in signatures)
    calls = common(chain.from_iterable(_passing(data, names, branching) for data in files.values()))
    mixed = any(path.endswith(".c") for path in files)
    computed = any(map(has_complex_numbers, files.values()))
    return {
        path: _inlined(data if mixed else with_copies(data, calls, computed=computed), names, branching)
        for path, data in files.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Function:
    """A function as one reading of a file finds it."""

    start: int
    name: str
    places: frozenset[int]
    """Of the parameters that are structs by value."""
    returns: bool
    """A struct."""
    copies: bool
    """It takes or returns structs, and may be inlined."""
    branches: bool


def _inlined(data: bytes, names: frozenset[str], branching: bool) -> bytes:
    edits = [
        Edit(item.start, item.start, _INLINED)
        for item in _functions(data)
        if _is_inlined(item, names, branching)
    ]
    return apply(data, edits) if edits else data


def _passing(data: bytes, names: frozenset[str], branching: bool) -> Iterator[Passing]:
    """Yield what each function of a file passes by value, where it stays a call."""
    for item in _functions(data):
        yield Passing(
            name=item.name,
            places=item.places,
            returns=item.returns,
            inlined=_is_inlined(item, names, branching),
        )


def _is_inlined(function: _Function, names: frozenset[str], branching: bool) -> bool:
    return function.copies and function.name not in names and (branching or not function.branches)


@lru_cache(maxsize=4096)
def _functions(data: bytes) -> tuple[_Function, ...]:
    """Return the named functions of a file, in the order of the text."""
    nodes = [node for node in descendants(parse(data).root_node, "function_definition") if _name(node)]
    calls: dict[str, set[str]] = {}
    for node in nodes:
        calls.setdefault(_name(node), set()).update(_called(node))
    found = []
    for node in nodes:
        places = frozenset(place for place, item in enumerate(_parameters(node)) if _is_copy(item))
        returns = _is_copy(node)
        plain = not any(word in text(node) for word in _NEVER)
        found.append(
            _Function(
                start=node.start_byte,
                name=_name(node),
                places=places,
                returns=returns,
                copies=(returns or bool(places)) and plain and not _reaches(_name(node), calls),
                branches=any(True for _ in descendants(node, *_BRANCHES)),
            )
        )
    return tuple(found)


def _name(function: Node) -> str:
    shape = function.child_by_field_name("declarator")
    return last_name(text(declared(shape)) or text(shape).partition("(")[0])


def _called(function: Node) -> Iterator[str]:
    """Yield the names of what a function's text calls, operators aside."""
    for node in descendants(function, "call_expression"):
        name = node.child_by_field_name("function")
        if name is not None:
            yield last_name(text(name))


def _reaches(name: str, calls: Mapping[str, set[str]]) -> bool:
    """Tell whether a function may call one of its own name, at any depth."""
    seen: set[str] = set()
    left = list(calls.get(name, ()))
    while left:
        other = left.pop()
        if other == name:
            return True
        if other not in seen:
            seen.add(other)
            left += calls.get(other, ())
    return False


def _parameters(function: Node) -> Iterator[Node]:
    for listed in descendants(function, "parameter_list"):
        yield from (node for node in listed.named_children if node.type == "parameter_declaration")
        return


def _is_copy(declaration: Node) -> bool:
    """Tell whether a parameter, or what a function returns, may be a struct by value."""
    kind, shape = (declaration.child_by_field_name(name) for name in ("type", "declarator"))
    if kind is None or kind.type not in _CLASSES:
        return False
    if (
        shape is not None and shape.type == "function_declarator"
    ):  # What stands in its parameters is another matter.
        return True
    return shape is None or (shape.type not in _APART and not any(True for _ in descendants(shape, *_APART)))
