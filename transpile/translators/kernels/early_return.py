"""Returns at the end of a kernel, and barriers under its last condition.

Threads that do not enter that condition return instead: one that has returned takes part in no barrier, nor
does one with nothing left to do. ``if (i < n) { … }`` at the end of a kernel is ``if (i >= n) return;`` and
what stood in the braces.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from transpile.code.syntax import (
    NEGATED,
    Function,
    alternative,
    block_statements,
    condition,
    consequence,
    declared_name,
    field,
    find,
    indentation,
    operator,
    reindent,
    source,
)
from transpile.code.variables import Variables
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import has_barrier, has_warp_primitive
from transpile.translators.kernels.types import normal
from transpile.translators.kernels.uniformity import Uniformity

_NO_WHOLE = (None, "float", "double")


def last_return(draft: Draft) -> Draft:
    """Return the draft without a return at the end of a kernel, which says nothing."""
    function = draft.function
    last = next((item for item in reversed(function.body.named_children) if item.type != "comment"), None)
    before = last.prev_named_sibling if last is not None else None
    if last is None or before is None or last.type != "return_statement" or last.named_children:
        return draft
    return draft.with_text(function.text[: before.end_byte] + function.text[last.end_byte :])


def early_return(draft: Draft) -> Draft:
    """Return the draft with an early return in the place of a last condition that has barriers in it."""
    last = _last(draft.function)
    return draft if last is None or has_warp_primitive(last) else _returning(draft, has_barrier)


def early_return_of_lanes(draft: Draft) -> Draft:
    """Do the same where lanes pass values under the condition, which may differ between those of a warp."""
    return _returning(draft, _meets)


def _meets(node: Node) -> bool:
    return has_barrier(node) or has_warp_primitive(node)


def _returning(draft: Draft, meets: Callable[[Node], bool]) -> Draft:
    function = draft.function
    variables = draft.variables(function)
    last = _last(function)
    if last is None or not meets(last) or _hides(function, last):
        return draft
    uniformity = Uniformity(function.statements, variables, meets)
    if uniformity.expression(condition(last)):
        return draft
    text, start = function.text, last.start_byte
    indent = indentation(text, start)
    body = consequence(last)
    inner = block_statements(body)
    if not inner:
        return draft
    within = text[inner[0].start_byte : inner[-1].end_byte]
    moved = reindent(within, indentation(text, inner[0].start_byte), indent)
    returning = f"if ({_negation(condition(last), variables)}) return;\n{indent}{moved}"
    after = draft.after("early-return", text[:start] + returning + text[last.end_byte :])
    return _returning(after, meets)


def _last(function: Function) -> Node | None:
    """Return the condition at the end of a kernel, where it has no other branch."""
    statements = [item for item in function.statements if item.type != "comment"]
    last = statements[-1] if statements else None
    plain = last is not None and last.type == "if_statement" and alternative(last) is None
    return last if plain else None


def _hides(function: Function, last: Node) -> bool:
    """Tell whether a name of the branch is one of the kernel's, too."""
    outer = {item.name for item in function.parameters}
    outer |= {_name(item) for item in function.statements if item.type == "declaration"}
    inner = (item for item in block_statements(consequence(last)) if item.type == "declaration")
    return any(_name(item) in outer for item in inner)


def _name(declaration: Node) -> str:
    return declared_name(field(declaration, "declarator"))


def _negation(test: Node, variables: Variables) -> str:
    """Return what holds where a test does not: the opposite comparison of whole numbers, else ``!``."""
    opposite = NEGATED.get(operator(test)) if test.type == "binary_expression" else None
    if opposite is None or not all(
        (known := variables.of(item)) is not None and not known.array and normal(known.type) not in _NO_WHOLE
        for item in find(test, "identifier")
        if source(item) not in ("threadIdx", "blockIdx", "blockDim", "gridDim")
    ):
        return f"!({source(test)})"
    return f"{source(field(test, 'left'))} {opposite} {source(field(test, 'right'))}"
