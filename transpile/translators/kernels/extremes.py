"""The greater and the lesser of two floating numbers by a plain comparison, where that does the same."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import arguments, called, find, replace, source
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.numbers import OF_NUMBERS, Numbers

_MOST = 200


def plain_extremes(draft: Draft) -> Draft:
    """Write ``std::max(a, b)`` for ``fmax(b, a)`` of an ``a`` that is no NaN: of a NaN both take ``a``.

    A call of the library takes many times as long as the comparison.
    """
    for _ in range(_MOST):
        function = draft.function
        numbers = Numbers(draft, function)
        found = (_plain(call, numbers) for call in find(function.body, "call_expression"))
        call, text = next((item for item in found if item is not None), (None, ""))
        if call is None:
            break
        draft = draft.after("plain-extremes", function.edited([replace(call, text)]), "<algorithm>")
    return draft


def _plain(call: Node, numbers: Numbers) -> tuple[Node, str] | None:
    """Return a call with what may stand in its place; None where nothing may."""
    name, operands = called(call), arguments(call)
    if name not in OF_NUMBERS or name in numbers.draft.surroundings.functions or len(operands) != 2:
        return None
    kinds = [numbers.types.of(operand) for operand in operands]
    kind = "float" if name.endswith("f") or set(kinds) == {"float"} else "double"
    if None in kinds and not name.endswith("f"):
        return None
    number = next((operand for operand in operands if numbers.holds(operand)), None)
    if number is None:
        return None
    other = operands[0] if number.id == operands[1].id else operands[1]
    word = name.removeprefix("std::")[1:4]
    # A macro of that name would take the parentheses for its own.
    plain = set(kinds) == {kind} and word not in numbers.draft.surroundings.macros
    exact = "" if plain else f"<{kind}>"
    return call, f"std::{word}{exact}({source(number)}, {source(other)})"
