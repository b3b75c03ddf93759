"""The arithmetic type of an expression, as far as declarations in sight tell it."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.polynomial import launch_name
from transpile.code.syntax import arguments, called, field, operator, source, squeeze
from transpile.code.types import ARITHMETIC, bare, vector_of
from transpile.code.variables import Variables
from transpile.translators.kernels.cuda_names import WORD_OPERATIONS
from transpile.translators.kernels.draft import Surroundings

RANKS = (
    "bool",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
)
_BY_NAME = {squeeze(name): name for name in RANKS} | {"longdouble": "double"}
_STORAGE = re.compile(r"\b(?:volatile|constexpr|register)\b")
_INT = ARITHMETIC["int"]
_SHUFFLE = re.compile(r"__shfl(?:_up|_down|_xor)?(_sync)?")
_FLOAT_MATH = re.compile(
    r"(?:std::)?(?:sqrt|exp|exp2|log|log2|log10|pow|sin|cos|tan|fabs|abs|floor|ceil|round|trunc|fmod|fmin|fmax|rsqrt"
    r"|tanh|sinh|cosh|atan|atan2|asin|acos|erf|erfc|cbrt|hypot|fma|expm1|log1p|rint|copysign|min|max)"
)


_CONVERTED = {
    "int": "int",
    "uint": "unsigned",
    "ll": "long long",
    "longlong": "long long",
    "ull": "unsigned long long",
    "ulonglong": "unsigned long long",
    "float": "float",
    "double": "double",
}
_CONVERSION = re.compile(rf"__[a-z]+(?:2|_as_)({'|'.join(_CONVERTED)})(?:_r[nzud])?")
_OF_HALVES = {
    **dict.fromkeys(
        ("__float2half2_rn", "__floats2half2_rn", "__float22half2_rn", "__half2half2", "__halves2half2"),
        "__half2",
    ),
    **dict.fromkeys(("__low2half2", "__high2half2", "__lows2half2", "__highs2half2"), "__half2"),
    **dict.fromkeys(("__low2half", "__high2half"), "__half"),
    **{f"__{kind}2half{mode}": "__half" for kind in ("float", "double") for mode in ("", "_rn", "_rz")},
    "__half22float2": "float2",
}
_LIKE_ITS_FIRST = re.compile(
    r"__h(?:add|sub|mul|fma|div|neg|abs|max|min)2?(?:_rn|_sat|_nan|_relu)?"
    r"|h2?(?:sqrt|rsqrt|rcp|exp|exp2|exp10|log|log2|log10|sin|cos|ceil|floor|rint|trunc)"
)
"""Arithmetic of halves, and of ``__nv_bfloat16`` by the same names."""
_OF_INTEGERS = {
    **dict.fromkeys(
        ("__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__mulhi", "__mul24"), "int"
    ),
    **dict.fromkeys(("__double2hiint", "__double2loint", "__rhadd"), "int"),
    **dict.fromkeys(
        ("__brev", "__umulhi", "__umul24", "__sad", "__usad", "__byte_perm", "__fns"), "unsigned"
    ),
    **dict.fromkeys((f"__funnelshift_{way}" for way in ("l", "r", "lc", "rc")), "unsigned"),
    **dict.fromkeys(("__uhadd", "__urhadd"), "unsigned"),
    "__hiloint2double": "double",
    "__brevll": "unsigned long long",
    "__mul64hi": "long long",
    "__umul64hi": "unsigned long long",
}


def normal(spelling: str) -> str | None:
    """Return the name of an arithmetic type, promoted; None for other types.

    (C++17, [conv.prom].)
    """
    name = bare(_STORAGE.sub("", spelling))
    kind = ARITHMETIC.get(name)
    if kind is not None and name != "bool" and not kind.floating and kind.size < _INT.size:
        return "int"
    return _BY_NAME.get(name)


def common(left: str | None, right: str | None) -> str | None:
    """Return the type of arithmetic between two types."""
    if left not in RANKS or right not in RANKS:
        return left if left == right else None
    kind = max(left, right, "int", key=RANKS.index)
    return kind


class Types:
    """Types of the expressions of one function."""

    def __init__(self, variables: Variables, surroundings: Surroundings) -> None:
        self.variables = variables
        self.surroundings = surroundings

    def of(self, node: Node) -> str | None:
        """Return the canonical arithmetic type, the name of another type, or None where it is not known."""
        match node.type:
            case "parenthesized_expression":
                return self.of(node.named_children[0])
            case "number_literal":
                return _literal(source(node))
            case "true" | "false":
                return "bool"
            case "char_literal":
                return "int"
            case "identifier" | "subscript_expression" | "pointer_expression":
                return self._object(node)
            case "field_expression":
                return self._member(node)
            case "cast_expression" | "compound_literal_expression":
                return named(source(field(node, "type")))
            case "unary_expression":
                return "bool" if operator(node) == "!" else common(self.of(field(node, "argument")), "int")
            case "update_expression":
                return self.of(field(node, "argument"))
            case "assignment_expression":
                return self.of(field(node, "left"))
            case "conditional_expression":
                return common(self.of(field(node, "consequence")), self.of(field(node, "alternative")))
            case "binary_expression":
                return self._binary(node)
            case "call_expression":
                return self._call(node)
            case _:
                return None

    def pointee(self, node: Node) -> str | None:
        """Return the type of what a pointer points to, as ``of`` would; None where it is not known."""
        match node.type:
            case "parenthesized_expression":
                return self.pointee(node.named_children[0])
            case "identifier":
                variable = self.variables.of(node)
                known = variable is not None and (variable.pointer or variable.array)
                return named(variable.type) if variable is not None and known else None
            case "binary_expression":
                return self.pointee(field(node, "left")) or self.pointee(field(node, "right"))
            case "pointer_expression" if operator(node) == "&":
                return self.of(field(node, "argument"))
            case _:
                return None

    def _object(self, node: Node) -> str | None:
        depth = 0
        while node.type in ("subscript_expression", "pointer_expression", "parenthesized_expression"):
            if node.type == "pointer_expression" and operator(node) != "*":
                return None
            depth += node.type != "parenthesized_expression"
            node = node.named_children[0]
        if node.type == "binary_expression":
            node = field(node, "left")
        if node.type != "identifier":
            return None
        variable = self.variables.of(node)
        if variable is None and source(node) == "warpSize":
            return "int" if depth == 0 else None
        if variable is None:
            known = self.surroundings.types.get(source(node), "")
            element = known.removesuffix("[]")
            return named(element) if (element != known) == (depth > 0) else None
        if depth == 0 and (variable.pointer or variable.array):
            return None
        if variable.type.strip() == "auto" and variable.initializer is not None and not variable.pointer:
            return self.of(variable.initializer)
        return named(variable.type)

    def _member(self, node: Node) -> str | None:
        if launch_name(node) is not None:
            return "unsigned"
        argument = field(node, "argument")
        owner = (self.pointee(argument) if operator(node) == "->" else self.of(argument)) or ""
        vector = vector_of(owner)
        if vector:
            return normal(vector[0])
        known = self.surroundings.members.get(f"{owner}::{source(field(node, 'field'))}")
        return named(known) if known else None

    def _binary(self, node: Node) -> str | None:
        sign = operator(node)
        if sign in ("<", ">", "<=", ">=", "==", "!=", "&&", "||"):
            return "bool"
        left = self.of(field(node, "left"))
        if sign in ("<<", ">>"):
            return common(left, "int")
        return common(left, self.of(field(node, "right")))

    def _call(self, node: Node) -> str | None:
        function = field(node, "function")
        if function.type == "primitive_type":
            return normal(source(function))
        name = called(node)
        if name == "static_cast":
            return named(source(field(function, "arguments"))[1:-1])
        texts = self.surroundings.functions.get(name)
        if texts:
            returned = {result_type(text, name) for text in texts}
            return named(returned.pop()) if len(returned) == 1 else None
        if (shuffle := _SHUFFLE.fullmatch(name)) is not None and len(arguments(node)) > 1:
            return self.of(arguments(node)[1 if shuffle[1] else 0])
        if name.endswith("f") and _FLOAT_MATH.fullmatch(name[:-1]):
            return "float"
        if _FLOAT_MATH.fullmatch(name) or name in ("__expf", "__logf", "__ldg"):
            kinds = [self.of(argument) for argument in arguments(node)]
            kind = kinds[0]
            for other in kinds[1:]:
                kind = common(kind, other)
            floats = ("float", "double")
            integral = name.removeprefix("std::") in ("min", "max", "abs")
            return kind if kind in floats or kind is None or integral else "double"
        if _LIKE_ITS_FIRST.fullmatch(name) and arguments(node):
            return self.of(arguments(node)[0])
        return returned_by(name)


def returned_by(intrinsic: str) -> str | None:
    """Return the type of what a function of CUDA's devices returns; None where it is not known.

    (CUDA Math API, "Type Casting Intrinsics", "Integer Intrinsics" and "Half Precision Conversion".)
    """
    if WORD_OPERATIONS.fullmatch(intrinsic):
        return "unsigned"
    converted = _CONVERSION.fullmatch(intrinsic)
    return _CONVERTED[converted[1]] if converted else {**_OF_INTEGERS, **_OF_HALVES}.get(intrinsic)


def _literal(text: str) -> str:
    lower = text.lower()
    if not lower.startswith("0x") and re.search(r"[.e]|f$", lower):
        return "float" if lower.endswith("f") else "double"
    long = lower.count("l")
    base = {0: "", 1: "long", 2: "long long"}[min(long, 2)]
    return ("unsigned " + base).strip() if "u" in lower else base or "int"


def named(spelling: str) -> str | None:
    """Return the canonical arithmetic type that is spelled so, or another type's name; None for a pointer."""
    if "*" in spelling:
        return None
    bare = squeeze(spelling.replace("const ", " ").replace("&", " ").replace("volatile ", " "))
    return normal(spelling.replace("&", " ")) or bare or None


def result_type(text: str, name: str) -> str:
    """Return what the text of a function says that it returns."""
    head = text[: text.find(name)]
    words = re.sub(r"__\w+__|\b(?:static|inline|constexpr|extern)\b|template\s*<[^>]*>", " ", head)
    return words.strip() or "void"
