"""Faults to plant in a text: small changes that an honest mistake could have made.

Every change keeps the text well formed; what the compiler refuses all the same counts for nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.trees import ancestors, parse, text
from transpile.code.types import bare

_BINARY: Mapping[str, tuple[tuple[str, str], ...]] = {
    "<": (("boundary", "<="), ("relational", ">=")),
    "<=": (("boundary", "<"), ("relational", ">")),
    ">": (("boundary", ">="), ("relational", "<=")),
    ">=": (("boundary", ">"), ("relational", "<")),
    "==": (("relational", "!="),),
    "!=": (("relational", "=="),),
    "+": (("arithmetic", "-"),),
    "-": (("arithmetic", "+"),),
    "*": (("arithmetic", "+"),),
    "/": (("arithmetic", "*"),),
    "%": (("arithmetic", "/"),),
    "&&": (("logical", "||"),),
    "||": (("logical", "&&"),),
    "&": (("bitwise", "|"),),
    "|": (("bitwise", "&"),),
    "^": (("bitwise", "|"),),
    "<<": (("bitwise", ">>"),),
    ">>": (("bitwise", "<<"),),
}
_ASSIGNMENT: Mapping[str, str] = {
    "+=": "-=",
    "-=": "+=",
    "*=": "+=",
    "/=": "*=",
    "%=": "/=",
    "&=": "|=",
    "|=": "&=",
    "^=": "|=",
    "<<=": ">>=",
    ">>=": "<<=",
}
_ORDERED = ("-", "/", "%", "<<", ">>")
"""Operators whose operands cannot change places."""
_SIGNS = {"-": "+", "!": "", "~": ""}
NARROWER = "narrower type"
"""The operator that makes fewer digits of a type."""
_NARROWER: Mapping[str, str] = {
    "double": "float",
    "long": "int",
    "longlong": "int",
    "unsignedlong": "unsigned",
    "unsignedlonglong": "unsigned",
}
"""Of types by their ``bare`` names."""
_FUNCTIONS = {
    left: right
    for one, other in (
        ("min", "max"),
        ("fmin", "fmax"),
        ("fminf", "fmaxf"),
        ("sin", "cos"),
        ("sinf", "cosf"),
        ("floor", "ceil"),
        ("floorf", "ceilf"),
        ("exp", "log"),
        ("expf", "logf"),
        ("__shfl_up_sync", "__shfl_down_sync"),
        ("__any_sync", "__all_sync"),
        ("atomicMin", "atomicMax"),
        ("atomicAnd", "atomicOr"),
    )
    for left, right in ((one, other), (other, one))
}
_ATOMICS: Mapping[str, str] = {
    "atomicAdd": "*({0}) += {1}",
    "atomicSub": "*({0}) -= {1}",
    "atomicMax": "*({0}) = *({0}) > ({1}) ? *({0}) : ({1})",
    "atomicMin": "*({0}) = *({0}) < ({1}) ? *({0}) : ({1})",
    "atomicExch": "*({0}) = {1}",
    "atomicAnd": "*({0}) &= {1}",
    "atomicOr": "*({0}) |= {1}",
    "atomicXor": "*({0}) ^= {1}",
}
_BARRIER = re.compile(r"^(?:__sync(?:threads|warp)\w*|(?:\w+(?:\.|->))*sync|barrier\w*)$")
_AXES = {"x": "y", "y": "x", "z": "x"}
_GEOMETRY = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_UNSEEN = re.compile(r"^(?:assert|printf|fprintf|puts|__threadfence\w*|__builtin_assume|__prefetch\w*)$")
"""Calls whose presence no result shows."""
_CONSTANT = (
    "array_declarator",
    "abstract_array_declarator",
    "template_argument_list",
    "case_statement",
    "enumerator",
    "bitfield_clause",
    "attribute",
    "attribute_declaration",
    "launch_bounds",
    "static_assert_declaration",
    "alignas_qualifier",
    "template_parameter_list",
)
"""Around these, a number is part of a type or must be constant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One fault in a text."""

    operator: str
    """Its class, such as ``boundary``."""
    line: int
    """Within the text, from 0."""
    before: str
    after: str
    text: bytes
    """The whole text with the fault in it."""


@dataclass(frozen=True, slots=True)
class _Change:
    operator: str
    node: Node
    after: str


def mutations(data: bytes) -> tuple[Mutation, ...]:
    """Return the faults that can be planted in a function's text, in its order, no text twice."""
    found: dict[bytes, Mutation] = {}
    for change in _changes(parse(data).root_node):
        node = change.node
        after = change.after.encode("utf-8", "surrogateescape")
        mutated = data[: node.start_byte] + after + data[node.end_byte :]
        if mutated != data:
            mutation = Mutation(
                operator=change.operator,
                line=node.start_point.row,
                before=text(node),
                after=change.after,
                text=mutated,
            )
            found.setdefault(mutated, mutation)
    return tuple(found.values())


def sampled(found: tuple[Mutation, ...], most: int) -> tuple[Mutation, ...]:
    """Return at most so many of the faults, chosen without regard to what they are, in their order."""
    if len(found) <= most:
        return found
    order = sorted(range(len(found)), key=lambda number: hashlib.sha256(found[number].text).digest())
    return tuple(found[number] for number in sorted(order[:most]))


def _changes(root: Node) -> Iterator[_Change]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type.startswith("preproc") or _unseen(node):
            continue
        make = _MAKERS.get(node.type)
        if make is not None and not node.has_error:
            yield from make(node)
        waiting += reversed(node.children)


def _unseen(node: Node) -> bool:
    return (
        node.type == "call_expression"
        and _UNSEEN.match(text(node.child_by_field_name("function"))) is not None
    )


def _binary(node: Node) -> Iterator[_Change]:
    sign = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if sign is None or left is None or right is None or _fixed(node):
        return
    for operator, after in _BINARY.get(text(sign), ()):
        yield _Change(operator, sign, after)
    if text(sign) in _ORDERED and text(left) != text(right):
        yield _Change("swapped operands", node, f"({text(right)}) {text(sign)} ({text(left)})")


def _assignment(node: Node) -> Iterator[_Change]:
    sign = node.child_by_field_name("operator")
    if sign is not None and text(sign) in _ASSIGNMENT:
        yield _Change("assignment", sign, _ASSIGNMENT[text(sign)])
        if not _in_header(node):
            yield _Change("assignment", sign, "=")


def _update(node: Node) -> Iterator[_Change]:
    sign = node.child_by_field_name("operator")
    if sign is not None and not _in_header(node):  # A loop that never ends tells nothing and takes long.
        yield _Change("assignment", sign, "--" if text(sign) == "++" else "++")


def _subscript(node: Node) -> Iterator[_Change]:
    index = next((item for item in node.children if item.type == "subscript_argument_list"), None)
    inner = index.named_children if index is not None else []
    if len(inner) == 1:
        for shift in ("+ 1", "- 1"):
            yield _Change("index", inner[0], f"({text(inner[0])}) {shift}")


def _statement(node: Node) -> Iterator[_Change]:
    inner = node.named_children[0] if node.named_children else None
    if inner is None or _unseen(inner):
        return
    if inner.type == "call_expression":
        name = text(inner.child_by_field_name("function"))
        arguments = inner.child_by_field_name("arguments")
        if _BARRIER.match(name):
            yield _Change("dropped barrier", node, ";")
            return
        given = [text(item) for item in arguments.named_children] if arguments is not None else []
        if name in _ATOMICS and len(given) == 2:
            yield _Change("dropped atomic", node, _ATOMICS[name].format(*given) + ";")
    if inner.type in ("assignment_expression", "call_expression", "update_expression"):
        yield _Change("dropped statement", node, ";")


def _exit(node: Node) -> Iterator[_Change]:
    if not node.named_children:
        yield _Change("dropped exit", node, ";")


def _number(node: Node) -> Iterator[_Change]:
    index = node.parent is not None and node.parent.type == "subscript_argument_list"
    if index or _fixed(node):
        return
    for after in ("+ 1", "- 1"):
        yield _Change("constant", node, f"({text(node)} {after})")


def _condition(node: Node) -> Iterator[_Change]:
    condition = node.child_by_field_name("condition")
    if condition is None or _fixed(node) or any(item.type == "constexpr" for item in node.children):
        return
    inner = condition.child_by_field_name("value") if condition.type == "condition_clause" else condition
    if inner is not None and inner.type not in ("declaration", "init_statement"):
        yield _Change("condition", inner, "true")
        yield _Change("condition", inner, "false")


def _unary(node: Node) -> Iterator[_Change]:
    sign = node.child_by_field_name("operator")
    if sign is not None and text(sign) in _SIGNS and not _fixed(node):
        yield _Change("sign", sign, _SIGNS[text(sign)])


def _type(node: Node) -> Iterator[_Change]:
    narrower = _NARROWER.get(bare(text(node)))
    where = [item.type for item in ancestors(node)]
    if narrower is None or "parameter_declaration" in where or "template_argument_list" in where:
        return
    holder = node.parent
    declarator = holder.child_by_field_name("declarator") if holder is not None else None
    # Another type behind a pointer or in shared memory is another layout, and no narrower value.
    if declarator is None or declarator.type in ("identifier", "init_declarator"):
        pointed = declarator is not None and "pointer" in str(declarator.child_by_field_name("declarator"))
        if (
            not pointed
            and (holder is None or "__shared__" not in text(holder))
            and where[:1] != ["function_definition"]
        ):
            yield _Change(NARROWER, node, narrower)


def _call(node: Node) -> Iterator[_Change]:
    function = node.child_by_field_name("function")
    if function is not None and text(function) in _FUNCTIONS:
        yield _Change("function", function, _FUNCTIONS[text(function)])


def _field(node: Node) -> Iterator[_Change]:
    owner, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
    if text(owner) in _GEOMETRY and field is not None and text(field) in _AXES:
        yield _Change("axis", field, _AXES[text(field)])


_MAKERS: Mapping[str, Callable[[Node], Iterator[_Change]]] = {
    "binary_expression": _binary,
    "assignment_expression": _assignment,
    "update_expression": _update,
    "subscript_expression": _subscript,
    "expression_statement": _statement,
    "return_statement": _exit,
    "break_statement": _exit,
    "continue_statement": _exit,
    "number_literal": _number,
    "if_statement": _condition,
    "conditional_expression": _condition,
    "unary_expression": _unary,
    "primitive_type": _type,
    "sized_type_specifier": _type,
    "type_identifier": _type,
    "call_expression": _call,
    "field_expression": _field,
}


def _fixed(node: Node) -> bool:
    """Tell whether a value must be known to the compiler."""
    return any(item.type in _CONSTANT for item in ancestors(node))


def _in_header(node: Node) -> bool:
    """Tell whether a change of a variable is the step of a loop."""
    parent = node.parent
    while parent is not None and parent.type == "comma_expression":
        parent = parent.parent
    return parent is not None and parent.type == "for_statement"
