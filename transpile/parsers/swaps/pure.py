"""Functions that only compute: they neither store their arguments nor let other threads see them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from transpile.code.trees import descendants, text
from transpile.parsers.swaps.names import Names, bare, called, child

BITS = {
    "__float_as_int": "whole",
    "__float_as_uint": "whole",
    "__int_as_float": "floating",
    "__uint_as_float": "floating",
    "__double_as_longlong": "whole",
    "__longlong_as_double": "floating",
    "__double_as_ulonglong": "whole",
    "__ulonglong_as_double": "floating",
    "__half_as_ushort": "whole",
    "__ushort_as_half": "floating",
    "__half_as_short": "whole",
    "__short_as_half": "floating",
}
"""Functions that show the same bits as another type, and what kind of number that is."""

_COMPUTES = re.compile(
    r"f?(?:min|max|abs|mod|ma|dim)[fl]?|u?(?:min|max)|ll(?:min|max|abs)|(?:sqrt|cbrt|exp2?|expm1|log(?:2|10|1p)?|pow|sin|cos|tan|tanh"
    r"|floor|ceil|round|trunc|rint|hypot|copysign|isnan|isinf|isfinite|signbit)[fl]?"
    r"|__(?:float|double|u?int|u?ll|half|u?short|hiloint|longlong)\w*(?:2|_as_)\w+"
    r"|__(?:f|d)(?:add|sub|mul|div|ma|rcp|sqrt|dividef?)(?:_r[nzud])?|__fma[f]?_r[nzud]|__u?mul24|__u?mulhi|__u?sad"
    r"|__h(?:add|sub|mul|div|max|min|fma|neg|abs|lt|gt|le|ge|eq|ne)2?|__vadd\w*|__vmax\w*|__vmin\w*"
    r"|__popc(?:ll)?|__clz(?:ll)?|__ffs(?:ll)?|__brev(?:ll)?|__byte_perm"
    r"|make_u?(?:char|short|int|float|double|long|longlong)[1-4]|int|unsigned|float|double|long|char|short|bool|sizeof"
)


def computes(name: str, functions: Sequence[Node], within: frozenset[str] = frozenset()) -> bool:
    """Tell whether a function does nothing but return a value made of its arguments' values.

    Args:
        name: What is called.
        functions: All definitions of the text; one's own hide what has the name elsewhere.
        within: Functions that are looked into already.
    """
    own = [item for item in functions if defined(item) == name]
    if not own:
        return _COMPUTES.fullmatch(name) is not None
    return name not in within and all(_only_computes(item, functions, within | {name}) for item in own)


def _only_computes(function: Node, functions: Sequence[Node], within: frozenset[str]) -> bool:
    names = Names(function)
    if any(re.search(r"[*&]", text(item)) for item in descendants(function, "parameter_declaration")):
        return False
    if any(
        True for _ in descendants(function, "lambda_expression", "pointer_expression", "gnu_asm_expression")
    ):
        return False
    for item in descendants(function, "assignment_expression", "update_expression"):
        target = bare(child(item, "left" if item.type == "assignment_expression" else "argument"))
        while target.type == "field_expression" and "->" not in text(target):
            target = bare(child(target, "argument"))
        if target.type != "identifier" or not names.local(text(target)):
            return False
    return all(computes(called(item), functions, within) for item in descendants(function, "call_expression"))


def defined(function: Node) -> str:
    """Return the name of a function that is defined."""
    for item in descendants(function, "function_declarator"):
        return text(child(item, "declarator")).rpartition("::")[2]
    return ""
