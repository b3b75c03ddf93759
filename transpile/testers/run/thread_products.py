"""Products of a size and the number of a thread, in 32 bits: ``n * t / threads`` overflows in large calls.

An array of 40 million elements on 64 threads is enough; trials have neither together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.trees import declared, descendants, parse, text
from transpile.core import Candidate, Inconclusive
from transpile.testers.run.teams import counts_threads

_WIDE = re.compile(r"\b(?:long|size_t|ptrdiff_t|u?int64_t|u?intptr_t|double|float|auto)\b")
_WHOLE = re.compile(r"\b(?:int|unsigned|u?int32_t)\b")
_WIDE_LITERAL = re.compile(r"\d[uU]?[lL]")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ASKS = "omp_get_thread_num"


def thread_products(candidate: Candidate) -> Inconclusive | None:
    """Return that a candidate multiplies a size by a thread's number in 32 bits, or None."""
    if not counts_threads(candidate):
        return None
    found = (
        product
        for part in candidate.replacements
        for function in descendants(parse(part.text).root_node, "function_definition")
        for product in _products(function)
    )
    product = next(found, None)
    if product is None:
        return None
    reason = (
        f"the translation multiplies a size by a thread number in 32 bits: `{text(product)}` overflows "
        "in large calls on many threads, which no trial makes"
    )
    return Inconclusive(reason=reason, code="TP415")


def _products(function: Node) -> Iterator[Node]:
    sizes, threads = _sizes(function), _threads(function)
    for product in descendants(function, "binary_expression"):
        if text(product.child_by_field_name("operator")) != "*" or _is_wide(product):
            continue
        sides = [product.child_by_field_name(side) for side in ("left", "right")]
        for one, other in (sides, reversed(sides)):
            if text(one) in sizes and not {*threads, _ASKS}.isdisjoint(_NAME.findall(text(other))):
                yield product


def _sizes(function: Node) -> set[str]:
    """Return the parameters of 32 bits."""
    return {
        text(name)
        for item in descendants(function, "parameter_declaration")
        if (name := item.child_by_field_name("declarator")) is not None
        and name.type == "identifier"
        and _WHOLE.search(text(item))
        and not _WIDE.search(text(item))
    }


def _threads(function: Node) -> set[str]:
    """Return the variables of 32 bits that hold the number of the thread."""
    return {
        text(declared(item.child_by_field_name("declarator")))
        for item in descendants(function, "init_declarator")
        if _ASKS in text(item.child_by_field_name("value"))
        and item.parent is not None
        and not _WIDE.search(text(item.parent.child_by_field_name("type")))
    }


def _is_wide(product: Node) -> bool:
    """Tell whether something in a product makes all of it wider."""
    casts = (text(item.child_by_field_name("type")) for item in descendants(product, "cast_expression"))
    return any(map(_WIDE.search, casts)) or _WIDE_LITERAL.search(text(product)) is not None
