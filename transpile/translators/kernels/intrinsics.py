"""Device functions and intrinsics as standard C++."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import unqualified
from transpile.code.syntax import (
    arguments,
    called,
    field,
    find,
    quoted,
    replace,
    source,
)
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.types import RANKS, Types, common

STANDARD = frozenset(
    [
        "sqrt",
        "cbrt",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "pow",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "erf",
        "erfc",
        "tgamma",
        "lgamma",
        "ceil",
        "floor",
        "round",
        "trunc",
        "rint",
        "nearbyint",
        "fmod",
        "remainder",
        "fma",
        "fmin",
        "fmax",
        "fdim",
        "fabs",
        "hypot",
        "isnan",
        "isinf",
        "isfinite",
        "signbit",
        "copysign",
        "lround",
        "lrint",
        "ilogb",
        "ldexp",
        "frexp",
    ]
)
"""Functions of <cmath> with overloads for float; the global names may lack them."""

_RENAMED = {
    "__expf": ("expf", "<cmath>"),
    "__exp10f": ("exp10f", "<cmath>"),
    "__logf": ("logf", "<cmath>"),
    "__log2f": ("log2f", "<cmath>"),
    "__log10f": ("log10f", "<cmath>"),
    "__sinf": ("sinf", "<cmath>"),
    "__cosf": ("cosf", "<cmath>"),
    "__tanf": ("tanf", "<cmath>"),
    "__powf": ("powf", "<cmath>"),
    "__sincosf": ("sincosf", "<cmath>"),
    "__fsqrt_rn": ("sqrtf", "<cmath>"),
    "__dsqrt_rn": ("std::sqrt", "<cmath>"),
    "__fmaf_rn": ("fmaf", "<cmath>"),
    "__fma_rn": ("std::fma", "<cmath>"),
    "__isnan": ("std::isnan", "<cmath>"),
    "__isinf": ("std::isinf", "<cmath>"),
    "__finite": ("std::isfinite", "<cmath>"),
    "__popc": ("__builtin_popcount", ""),
    "__popcll": ("__builtin_popcountll", ""),
    "__ffs": ("__builtin_ffs", ""),
    "__ffsll": ("__builtin_ffsll", ""),
    "__trap": ("std::abort", "<cstdlib>"),
    "abs": ("std::abs", "<cmath> <cstdlib>"),
    "llabs": ("std::llabs", "<cstdlib>"),
}
_FORMULAS = {
    "__ldg": "*{0}",
    "__ldcs": "*{0}",
    "__ldcg": "*{0}",
    "__ldca": "*{0}",
    "__ldlu": "*{0}",
    "__stcs": "*{0} = {1}",
    "__stcg": "*{0} = {1}",
    "__stwb": "*{0} = {1}",
    "__stwt": "*{0} = {1}",
    "__clz": "{0} == 0 ? 32 : __builtin_clz({0})",
    "__clzll": "{0} == 0 ? 64 : __builtin_clzll({0})",
    "__fdividef": "{0} / {1}",
    "__fdiv_rn": "{0} / {1}",
    "__ddiv_rn": "{0} / {1}",
    "__fmul_rn": "{0} * {1}",
    "__fadd_rn": "{0} + {1}",
    "__fsub_rn": "{0} - {1}",
    "__dmul_rn": "{0} * {1}",
    "__dadd_rn": "{0} + {1}",
    "__dsub_rn": "{0} - {1}",
    "__frcp_rn": "1.0f / {0}",
    "__mul24": "{0} * {1}",
    "__umul24": "{0} * {1}",
    "__mulhi": "(int)(((long long){0} * {1}) >> 32)",
    "__umulhi": "(unsigned)(((unsigned long long){0} * {1}) >> 32)",
    "__mul64hi": "(long long)(((__int128){0} * {1}) >> 64)",
    "__umul64hi": "(unsigned long long)(((unsigned __int128){0} * {1}) >> 64)",
    "__sad": "(unsigned)({2} + std::llabs((long long){0} - {1}))",
    "__usad": "(unsigned)({2} + std::llabs((long long){0} - {1}))",
    "__float2int_rz": "(int){0}",
    "__float2uint_rz": "(unsigned){0}",
    "__double2int_rz": "(int){0}",
    "__float2int_rd": "(int)std::floor({0})",
    "__float2int_ru": "(int)std::ceil({0})",
    "__float2int_rn": "(int)std::lrint({0})",
    "__double2int_rn": "(int)std::lrint({0})",
    "__int2float_rn": "(float){0}",
    "__uint2float_rn": "(float){0}",
    "__int2double_rn": "(double){0}",
    "__uint2double_rn": "(double){0}",
    "__ll2double_rn": "(double){0}",
    "__ull2double_rn": "(double){0}",
    "__ll2float_rn": "(float){0}",
    "__ull2float_rn": "(float){0}",
    "__double2float_rn": "(float){0}",
    "__drcp_rn": "1.0 / {0}",
    "rsqrtf": "1.0f / sqrtf({0})",
    "rsqrt": "1 / std::sqrt({0})",
    "__frsqrt_rn": "1.0f / sqrtf({0})",
    "__saturatef": "std::fmin(std::fmax({0}, 0.0f), 1.0f)",
}
_BIT_CASTS = {
    "__float_as_int": "__builtin_bit_cast(int, (float){0})",
    "__float_as_uint": "__builtin_bit_cast(unsigned, (float){0})",
    "__int_as_float": "__builtin_bit_cast(float, (int){0})",
    "__uint_as_float": "__builtin_bit_cast(float, (unsigned){0})",
    "__double_as_longlong": "__builtin_bit_cast(long long, (double){0})",
    "__longlong_as_double": "__builtin_bit_cast(double, (long long){0})",
}
"""Views of bits as another type: written last, since the grammar does not know the built-in function."""
_TAKEN: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("__fdividef", "__fdiv_rn"), ("float",) * 2),
    "__ddiv_rn": ("double",) * 2,
    "__mulhi": ("int",) * 2,
    "__umulhi": ("unsigned",) * 2,
    "__mul64hi": ("long long",) * 2,
    "__umul64hi": ("unsigned long long",) * 2,
    "__sad": ("int", "int", "unsigned"),
    "__usad": ("unsigned",) * 3,
}
"""Types of parameters, where the formula of a call is worth something else for other types."""
_CAST = re.compile(r"\((?:int|unsigned|float|double|(?:unsigned )?long long)\)")
"""Beginning of formulas that are a cast of one operand: it binds more closely than operators between two."""
_ATOMS = frozenset(
    {
        "identifier",
        "number_literal",
        "call_expression",
        "subscript_expression",
        "field_expression",
        "parenthesized_expression",
        "cast_expression",
    }
)
_OPEN_CONTEXTS = frozenset(
    {
        "argument_list",
        "init_declarator",
        "return_statement",
        "parenthesized_expression",
        "subscript_argument_list",
        "condition_clause",
        "expression_statement",
        "comma_expression",
        "initializer_list",
        "assignment_expression",
    }
)


def intrinsics(draft: Draft) -> Draft:
    """Write device functions as standard C++ that computes the same in the same precision."""
    headers: set[str] = set()
    text = draft.text
    while True:
        step = draft.after("intrinsics", text)
        edits = _innermost(step, headers)
        if not edits:
            return draft.after("intrinsics", text, *headers)
        text = step.function.edited(edits)


def bit_casts(draft: Draft) -> Draft:
    """Write views of a number's bits as the compiler's own."""
    while True:
        function = draft.function
        calls = [
            call
            for call in find(function.body, "call_expression")
            if called(call) in _BIT_CASTS and called(call) not in draft.surroundings.functions
        ]
        if not calls:
            return draft
        last = calls[-1]  # holds no other
        formula = _BIT_CASTS[called(last)]
        edit = replace(last, formula.format(_operand(arguments(last)[0])))
        draft = draft.after("intrinsics", function.edited([edit]))


def _operand(value: Node) -> str:
    return source(value) if value.type in _ATOMS else f"({source(value)})"


def _innermost(draft: Draft, headers: set[str]) -> list[Edit[str]]:
    """Return the edits of calls that hold no other call to be edited."""
    function = draft.function
    types = Types(draft.variables(function), draft.surroundings)
    edits: list[Edit[str]] = []
    for call in find(function.body, "call_expression"):
        name = called(call)
        own = name in draft.surroundings.functions or name in _OF_MACROS & draft.surroundings.macros.keys()
        if not name or own or _hides_another(call, draft):
            continue
        new = _translated(name, call, types, headers)
        if new is not None:
            edits.append(new)
    return edits


_OF_MACROS = frozenset({"min", "max"})
"""Macros of the same meaning that sources define; ``std::min(`` would be that macro as well."""


def _known(name: str) -> bool:
    return name in STANDARD or name in _RENAMED or name in _FORMULAS or name in ("min", "max", "umin", "umax")


def _hides_another(call: Node, draft: Draft) -> bool:
    around = draft.surroundings
    return any(
        _known(called(inner))
        and called(inner) not in around.functions
        and called(inner) not in _OF_MACROS & around.macros.keys()
        for argument in arguments(call)
        for inner in find(argument, "call_expression")
    )


def _translated(name: str, call: Node, types: Types, headers: set[str]) -> Edit[str] | None:
    values = arguments(call)
    function = call.child_by_field_name("function")
    assert function is not None
    if name in STANDARD:
        headers.add("<cmath>")
        return replace(function, f"std::{name}")
    if name.endswith("f") and name[:-1] in STANDARD:
        headers.add("<cmath>")
        return None
    if name in _RENAMED:
        new, needed = _RENAMED[name]
        headers.update(needed.split())
        return replace(function, new)
    if name in _FORMULAS:
        return replace(call, _formula(name, call, values, types, headers))
    if name in ("min", "max", "umin", "umax"):
        return _extremum(name[-3:], function, values, types, headers)
    return None


def _formula(name: str, call: Node, values: list[Node], types: Types, headers: set[str]) -> str:
    formula = _FORMULAS[name]
    if formula.count("{0}") > 1 and any(
        True for _ in find(values[0], "call_expression", "update_expression")
    ):
        refuse("TP203", call, f"the translation of `{name}` would evaluate {quoted(values[0])} twice")
    if "llabs" in formula:
        headers.add("<cstdlib>")
    elif "sqrt" in formula or "std::" in formula:
        headers.add("<cmath>")
    if name.startswith("__ld"):
        return _loaded(values[0], call)
    if name.startswith("__st"):
        return f"{_loaded(values[0], call)} = {source(values[1])}"
    texts = [_operand(value) for value in values]
    if (kinds := _TAKEN.get(name)) is not None:
        given = zip(texts, values, kinds, strict=True)
        texts = [text if types.of(value) == kind else f"({kind}){text}" for text, value, kind in given]
    if "({0})" in formula:  # the brackets are there
        formula = formula.replace("({0})", "({bare})")
    text = formula.format(*texts, bare=source(values[0]))
    parent = call.parent
    if text.startswith(("__builtin", "std::")) or parent is None or parent.type in _OPEN_CONTEXTS:
        return text
    return text if parent.type == "binary_expression" and _CAST.match(formula) else f"({text})"


def _loaded(value: Node, call: Node) -> str:
    """Return the plain form of a load through the read-only cache."""
    if value.type == "pointer_expression" and source(value).startswith("&"):
        inner = value.named_children[-1]
        return source(inner) if inner.type in _ATOMS else f"({source(inner)})"
    if value.type == "binary_expression" and source(value.child_by_field_name("operator") or value) == "+":
        left, right = value.named_children[0], value.named_children[-1]
        if left.type == "identifier":
            return f"{source(left)}[{source(right)}]"
    text = f"*{source(value)}" if value.type in _ATOMS else f"*({source(value)})"
    parent = call.parent
    return (
        f"({text})"
        if parent is not None and parent.type in ("field_expression", "subscript_expression")
        else text
    )


def _extremum(
    word: str, function: Node, values: list[Node], types: Types, headers: set[str]
) -> Edit[str] | None:
    if len(values) != 2:
        return None
    kinds = [types.of(value) for value in values]
    if any(kind in ("float", "double") for kind in kinds):
        # As on the device, the operand that is a number wins over one that is not: std::min would not do.
        headers.add("<cmath>")
        return replace(function, f"std::f{word}")
    headers.add("<algorithm>")
    call = function.parent
    if not any(kind in RANKS for kind in kinds) and call is not None and _is_constant(values[1]):
        # In a template it may be a floating number: of two operands std::min and std::max take the first
        # where the other is no number.
        return replace(call, f"std::{word}({source(values[1])}, {source(values[0])})")
    if kinds[0] is not None and kinds[0] == kinds[1] and _declared_alike(values, types):
        return replace(function, f"std::{word}")
    kind = common(kinds[0], kinds[1])
    return replace(function, f"std::{word}" if kind is None else f"std::{word}<{kind}>")


def _is_constant(value: Node) -> bool:
    """Tell whether a value is a literal, a cast of one or made of one: ``T(0)``."""
    if value.type == "cast_expression":
        value = field(value, "value")
    elif value.type == "call_expression" and len(arguments(value)) == 1:
        value = arguments(value)[0]
    return value.type == "number_literal"


def _declared_alike(values: list[Node], types: Types) -> bool:
    """Tell whether both operands surely have one C++ type, not only one after promotion."""
    spellings = []
    for value in values:
        names = [types.variables.of(item) for item in find(value, "identifier")]
        spellings.append({unqualified(v.type) for v in names if v is not None})
    small = re.compile(r"char|short|int8|int16|bool|size_t|64")
    return (
        not any(small.search(spelling) for group in spellings for spelling in group)
        or spellings[0] == spellings[1]
    )
