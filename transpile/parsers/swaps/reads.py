"""Plain reads whose values only feed a compare-and-swap of the same address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tree_sitter import Node

from transpile.code.trees import descendants, parse, text
from transpile.core import Span
from transpile.parsers.swaps.flow import Expressions
from transpile.parsers.swaps.names import SWAPS, Names, arguments, calls_of, child
from transpile.parsers.swaps.pure import defined
from transpile.parsers.swaps.statements import Statements
from transpile.parsers.swaps.values import Leaked, Value

_UNKNOWN = ("goto_statement", "labeled_statement", "try_statement", "gnu_asm_expression", "ERROR")


def expected_reads(data: bytes, unused: frozenset[str] = frozenset()) -> list[Span]:
    """Return where memory is read plainly only to say what a compare-and-swap expects there.

    Two threads meet at such a read as they do at an atomic one: where memory has changed since, the
    compare-and-swap does nothing. So the loops are written that CUDA's programming guide makes atomic
    operations of.

    Args:
        data: A text in CUDA or HIP.
        unused: Functions whose results nobody uses. What another function returns may go anywhere.
    """
    if b"atomicCAS" not in data:
        return []
    functions = _definitions(data)
    found: dict[int, Node] = {}
    for function in functions:
        found |= _of(function, functions, defined(function) in unused)
    return [Span(start=node.start_byte, end=node.end_byte) for _, node in sorted(found.items())]


def _definitions(data: bytes) -> list[Node]:
    return list(descendants(parse(data).root_node, "function_definition"))


def _of(function: Node, functions: Sequence[Node], unused: bool) -> dict[int, Node]:
    """Return the reads of one function that are exempt, by where they begin."""
    swaps = list(calls_of(function, SWAPS))
    if not swaps or any(descendants(function, *_UNKNOWN)):
        return {}
    names = Names(function)
    given = [arguments(swap) for swap in swaps]
    found: dict[int, Node] = {}
    for address in sorted({names.pointed(items[0]) for items in given if len(items) == 3} - {""}):
        held = {name: Value(kind=names.kind(name)) for name in names.parameters}
        does = Expressions(address=address, names=names, functions=functions, state=held)
        try:
            Statements(expressions=does, names=names, unused=unused).run(child(function, "body"))
        except Leaked:
            continue
        found |= does.found
    return found


def unused_results(texts: Iterable[bytes]) -> frozenset[str]:
    """Return the functions around a compare-and-swap whose results are used nowhere in these texts."""
    texts = [data for data in texts if b"atomicCAS" in data or b"__device__" in data or b"__global__" in data]
    names: set[str] = set()
    for data in texts:
        if b"atomicCAS" in data:
            names |= {defined(item) for item in _definitions(data) if any(calls_of(item, SWAPS))}
    used = {name for data in texts for name in _used(data, names)}
    return frozenset(names - used)


def _used(data: bytes, names: set[str]) -> set[str]:
    """Return the names that stand where their value may matter."""
    named = {name for name in names if re.search(rb"\b%s\b" % re.escape(name.encode()), data)}
    if not named:
        return set()
    root = parse(data).root_node
    used = {word for item in descendants(root, "preproc_arg") for word in re.findall(r"\w+", text(item))}
    for item in descendants(root, "identifier", "field_identifier", "type_identifier"):
        if text(item) in named and not _declares(item) and not _discards(item):
            used.add(text(item))
    return used & named


def _declares(name: Node) -> bool:
    outer = name.parent
    while outer is not None and outer.type == "qualified_identifier":
        outer = outer.parent
    return outer is not None and outer.type == "function_declarator"


def _discards(name: Node) -> bool:
    """Tell whether a name stands in a call whose result is dropped."""
    outer = name.parent
    while outer is not None and outer.type in ("qualified_identifier", "template_function"):
        outer = outer.parent
    if outer is None or outer.type != "call_expression" or outer.parent is None:
        return False
    return outer.parent.type == "expression_statement"
