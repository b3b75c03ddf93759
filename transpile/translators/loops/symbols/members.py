"""Members of structs behind parameters: sizes, and pointers to arrays, that a function leaves alone.

``grid->nx`` and ``grid->u[i]`` are then a number and an array of their own, under the names that contracts
have for them (``grid.nx``), also where structs are in structs or lead to others. What is written through
pointers may still be such a member: arrays and structs are asked whether they overlap, but where their types
say that they do not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from tree_sitter import Node

from transpile.code.polynomial import INTEGER_TYPES
from transpile.code.syntax import called, field, find, inside, operator, source, unparenthesized
from transpile.code.types import bare
from transpile.code.variables import Variable, Variables
from transpile.core import Contract, Signature
from transpile.translators.loops.symbols.enclosing_scope import NOTHING, EnclosingScope
from transpile.translators.loops.symbols.paths import element, fields, in_c, is_name, path

ANY = "*"
"""Stands for all members, where some write or call may change any of them."""
_HARMLESS = frozenset(("printf", "fprintf", "puts", "putchar", "fflush", "malloc", "calloc", "free", "clock"))
"""Functions that change no struct of a caller."""
_NUMBERS = INTEGER_TYPES | {"float", "double", "bool", "char", "signedchar", "unsignedchar"}
WHOLE = {"int32_t": "int", "int64_t": "long"}
"""Types of members that are read as whole numbers, as C: unsigned ones wrap."""
_WAYS = (
    (re.compile(r"\*\(&(\w+)\)$"), r"\1"),
    (re.compile(r"\*\((\w+)\)$"), r"*\1"),
    (re.compile(r"\(&(\w+)\)->"), r"\1."),
    (re.compile(r"\((\w+(?:(?:->|\.)\w+)*)\)->"), r"\1->"),
)
"""Names that contracts give to parts of parameters, and their spelling for a person."""
_DOTTED = re.compile(r"\b([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)+)")


def member(node: Node, variables: Variables, around: EnclosingScope) -> str:
    """Return the name that contracts have for a member which keeps its value in the function.

    It is empty for whatever else a node may be.
    """
    name = path(node, variables) if node.type == "field_expression" else ""
    if name not in around.numbers and name not in around.pointers:
        return ""
    return "" if _written(variables, frozenset(around.numbers)) & {*fields(name), ANY} else name


def beside(node: Node, variables: Variables, around: EnclosingScope, *kinds: str) -> Iterator[Node]:
    """Yield the nodes of some kinds in an expression that no member which keeps its value is made of."""
    kept = [item for item in find(node, "field_expression") if member(item, variables, around)]
    return (item for item in find(node, *kinds) if not any(inside(item, whole) for whole in kept))


def changing(variables: Variables, numbers: Collection[str]) -> frozenset[str]:
    """Return the names of members that a function may give other values; ``ANY`` for all of them.

    Args:
        variables: Those of the function.
        numbers: What is a number that lies in memory, by the names that contracts have.
    """
    written = _written(variables, frozenset(numbers))
    return written if is_quiet(variables, NOTHING) else written | {ANY}


def is_quiet(variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether all that a function calls leaves the structs of its callers alone."""
    return all(name in _HARMLESS or around.calls(name) for name in _calls(variables))


@lru_cache(maxsize=16)
def _calls(variables: Variables) -> frozenset[str]:
    scope = _scope(variables)
    found = find(scope, "call_expression") if scope is not None else ()
    return frozenset(called(call) for call in found)


def _scope(variables: Variables) -> Node | None:
    """Return the function, where it has parameters."""
    return next((item.scope for item in variables.all if item.parameter), None)


@lru_cache(maxsize=16)
def _written(variables: Variables, numbers: frozenset[str]) -> frozenset[str]:
    scope = _scope(variables)
    return frozenset(_members_written(scope, variables, numbers)) if scope is not None else frozenset()


def _members_written(scope: Node, variables: Variables, numbers: frozenset[str]) -> Iterator[str]:
    """Yield the names of members that are assigned to, or whose addresses are taken."""
    for write in find(scope, "assignment_expression", "update_expression"):
        target = unparenthesized(write.child_by_field_name("left") or field(write, "argument"))
        if target.type == "field_expression":
            yield source(field(target, "field"))
        elif target.type != "identifier" and not _holds_numbers(target, variables, numbers):
            yield ANY
    for address in find(scope, "pointer_expression", "init_declarator"):
        if address.type == "pointer_expression" and (
            operator(address) != "&" or _names(address, variables, numbers)
        ):
            continue
        if address.type == "init_declarator" and not any(find(address, "reference_declarator")):
            continue
        for inner in find(address, "field_expression"):
            yield source(field(inner, "field"))


def _names(address: Node, variables: Variables, numbers: frozenset[str]) -> bool:
    """Tell whether the address of a struct in a struct is taken as another name for it, and no more."""
    declared = address.parent
    named = declared is not None and declared.type == "init_declarator" and is_name(declared, variables)
    return named and path(address, variables) not in numbers


def _holds_numbers(target: Node, variables: Variables, numbers: frozenset[str]) -> bool:
    """Tell whether an element that is written is a plain number."""
    depth = 0
    while target.type in ("subscript_expression", "pointer_expression"):
        target, depth = unparenthesized(field(target, "argument")), depth + 1
    if target.type == "field_expression":
        name = element(target, variables)
        return name in numbers or any(item.startswith(f"{name}[") and item[-1] == "]" for item in numbers)
    variable = variables.of(target)
    if variable is None:
        return source(target) in numbers
    return variable.bare in _NUMBERS or _is_own(variable, depth)


def _is_own(variable: Variable, depth: int) -> bool:
    """Tell whether so many subscripts lead to an element of an array of the function itself."""
    declared = source(variable.shape)
    local = variable.array and not variable.parameter and not variable.static and not variable.reference
    return local and "*" not in declared and depth <= declared.count("[")


def types(value: Node, variables: Variables, around: EnclosingScope) -> frozenset[str]:
    """Return the types of the variables and members that an expression names."""
    members = (member(node, variables, around) for node in find(value, "field_expression"))
    numbers = (around.numbers.get(name, "") for name in members if name)
    used = (variables.of(node) for node in beside(value, variables, around, "identifier"))
    return frozenset((*(item.bare for item in used if item), *map(bare, numbers)))


def spelled(text: str, contract: Contract) -> str:
    """Return an expression over names of a contract as C: ``grid.nx`` is ``grid->nx`` behind a pointer.

    What a pointer to a number leads to, ``n.value``, is ``*n``.
    """
    pointers = frozenset(item.name for item in contract.signature.parameters if item.pointer)
    read = _taken(contract.signature)
    return _DOTTED.sub(lambda found: read.get(found[0]) or in_c(found[0], pointers), text)


def begun(name: str, contract: Contract) -> str:
    """Return a pointer to what a name of a contract leads to, as C; empty where that is the name itself."""
    if "." in name:
        return spelled(name, contract)
    made = dict(contract.signature.assembly.arguments) if contract.signature.assembly is not None else {}
    return f"&{name}" if made.get(name, "").startswith("*") else ""


def _taken(signature: Signature) -> dict[str, str]:
    """Return how parts of parameters are read from these, by the names that contracts have for the parts."""
    texts = signature.assembly.taken if signature.assembly is not None else ()
    parts = zip((item.name for item in signature.parameters), texts, strict=False)
    return {name: _plainly(text) for name, text in parts if "." in name and text}


def _plainly(text: str) -> str:
    """Return a way to a part of a parameter without parentheses that change nothing."""
    plain = text
    for pattern, written in _WAYS:
        plain = pattern.sub(written, plain)
    return plain if plain == text else _plainly(plain)
