"""Hand-made atomic operations: loops around a compare-and-swap as the one update that they make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name
from transpile.code.syntax import (
    Function,
    arguments,
    called,
    field,
    find,
    indentation,
    operator,
    replace,
    source,
    squeeze,
    unparenthesized,
)
from transpile.parsers.swaps import expected_reads
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.swaploops import SwapLoop, loops
from transpile.translators.kernels.swapping import swapping
from transpile.translators.kernels.types import Types

_GLOBAL = re.compile(r"::\s*(atomic[A-Z]\w*)")
_FUNCTIONS = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "&": "And", "|": "Or", "^": "Xor"}
_COMMUTES = frozenset("+*&|^")
_WHOLE = ("int", "unsigned", "long", "unsigned long", "long long", "unsigned long long")
_SHOWN = {"float": ("int", "__int_as_float"), "double": ("long long", "__longlong_as_double")}


def hand_made(draft: Draft) -> Draft:
    """Write the loops around a compare-and-swap as the atomic function that they make, where they make one.

    Of others the plain reads are named: they are loads that meet other threads.
    """
    draft = _unqualified(draft)
    if "atomicCAS" not in draft.text:
        return draft
    while True:
        function = draft.function
        exempt = {span.start for span in _reads(draft)}
        types = Types(draft.variables(function), draft.surroundings)
        texts = (_written(draft, function, loop) for loop in loops(function, types, exempt))
        text = next((text for text in texts if text is not None), None)
        if text is None:
            return _loads(draft)
        draft = draft.after("handmade", text)


def _unqualified(draft: Draft) -> Draft:
    """Write CUDA's own functions without the global namespace."""
    function = draft.function
    named = [(node, _GLOBAL.fullmatch(source(node))) for node in find(function.body, "qualified_identifier")]
    edits = [replace(node, match.group(1)) for node, match in named if match is not None]
    return draft.after("handmade", function.edited(edits)) if edits else draft


def _reads(draft: Draft) -> Iterator[Edit[str]]:
    """Yield the plain reads that only feed a compare-and-swap, whoever uses what is returned."""
    name = draft.function.name.rpartition("::")[2]
    for span in expected_reads(draft.text.encode("latin-1"), frozenset({name})):
        yield Edit(span.start, span.end, "")


def _loads(draft: Draft) -> Draft:
    function = draft.function
    types = Types(draft.variables(function), draft.surroundings)
    spans = {(edit.start, edit.end) for edit in _reads(draft)}
    edits = []
    for node in find(
        function.body, "pointer_expression", "subscript_expression", "field_expression", "identifier"
    ):
        if (node.start_byte, node.end_byte) not in spans:
            continue
        inner = source(field(node, "argument")) if node.type == "pointer_expression" else f"&{source(node)}"
        whole, shows = _SHOWN.get(types.of(node) or "", ("", ""))
        edits.append(
            replace(
                node, f"{shows}(atomic::Load(({whole} *)({inner})))" if whole else f"atomic::Load({inner})"
            )
        )
    return draft.after("handmade", function.edited(edits))


@dataclass(frozen=True, slots=True)
class _Update:
    """Asks which atomic function makes the new value of a loop from the old one."""

    loop: SwapLoop

    def names_old(self, node: Node) -> bool:
        """Tell whether an expression is the old value itself."""
        node = unparenthesized(node)
        return any(node.id == item.id for item in self.loop.held)

    def mentions_old(self, node: Node) -> bool:
        """Tell whether an expression depends on the old value."""
        return any(node.start_byte <= item.start_byte < node.end_byte for item in self.loop.held)

    def function(self) -> tuple[str, str] | None:
        """Return the atomic function that does the same, and its argument; None where there is none."""
        node = unparenthesized(self.loop.wanted)
        if node.type == "binary_expression":
            return self._operation(node)
        if self.loop.type not in _WHOLE:
            return None  # NaN makes a difference to comparisons
        return self._extreme(node)

    def _operation(self, node: Node) -> tuple[str, str] | None:
        sign, left, right = operator(node), field(node, "left"), field(node, "right")
        name = _FUNCTIONS.get(sign)
        if name is None:
            return None
        if self.names_old(left) and not self.mentions_old(right):
            return name, source(right)
        if sign in _COMMUTES and self.names_old(right) and not self.mentions_old(left):
            return name, source(left)
        return None

    def _extreme(self, node: Node) -> tuple[str, str] | None:
        if node.type == "call_expression" and called(node) in ("min", "max") and len(arguments(node)) == 2:
            return self._of_two(called(node).capitalize(), *arguments(node))
        if node.type != "conditional_expression":
            return None
        test = unparenthesized(field(node, "condition"))
        if test.type != "binary_expression" or operator(test) not in ("<", ">", "<=", ">="):
            return None
        sides = [_bare(field(test, side)) for side in ("left", "right")]
        ways = [field(node, side) for side in ("consequence", "alternative")]
        if sorted(sides) != sorted(_bare(way) for way in ways) or sides[0] == sides[1]:
            return None
        smaller = (operator(test)[0] == "<") == (sides[0] == _bare(ways[0]))
        return self._of_two("Min" if smaller else "Max", *ways)

    def _of_two(self, name: str, one: Node, other: Node) -> tuple[str, str] | None:
        if self.names_old(one) and not self.mentions_old(other):
            return name, source(other)
        if self.names_old(other) and not self.mentions_old(one):
            return name, source(one)
        return None


def _written(draft: Draft, function: Function, loop: SwapLoop) -> str | None:
    """Return the text with a loop as an atomic function or a shorter loop; None where it is neither."""
    made = _Update(loop).function()
    if made is not None:
        call = f"atomic::{made[0]}({loop.address}, {made[1]});"
        lines = [f"{loop.type} {loop.old} = {call}" if loop.later else call]
    elif draft.kernel:
        return None
    else:
        lines = _swapping(function, loop)
    start = loop.first.start_byte
    lead = "\n" + indentation(function.text, start)
    edits = [Edit(start, loop.last.end_byte, lead.join(lines))]
    return function.edited([*edits, *(replace(node, loop.old) for node in loop.later)])


def _swapping(function: Function, loop: SwapLoop) -> list[str]:
    """Return the lines that compute a new value until nobody has come between."""
    wanted = free_name(function.identifiers, "wanted", "desired")
    edits = [Edit(node.start_byte, node.end_byte, loop.old) for node in loop.held]
    value = apply_outermost(function.text, edits, loop.wanted.start_byte, loop.wanted.end_byte)
    return swapping(loop.type, loop.address, loop.old, wanted, value)


def _bare(node: Node) -> str:
    return squeeze(source(unparenthesized(node)))
