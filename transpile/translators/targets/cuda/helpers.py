"""Functions that only compute, as functions of the device: copies beside the kernels that call them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from transpile.code.edits import Edit
from transpile.code.syntax import Function, called, field, find, replace
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


def copies(names: Iterable[str], around: EnclosingScope, owner: str) -> dict[str, str]:
    """Return these functions and those that they call by name, as text for the device, callees first."""
    found: dict[str, str] = {}
    for name in names:
        function = Function(around.functions[name])
        found |= copies(_calls(function, around), around, owner)
        declared = next(find(function.declarator, "identifier"))
        edits = [
            Edit(function.node.start_byte, function.node.start_byte, "__device__ "),
            replace(declared, _own(name, owner)),
            *_renamed(function, around.functions, owner),
        ]
        found[name] = function.edited(edits).strip() + "\n"
    return found


def calling_copies(text: str, names: Mapping[str, str], owner: str) -> str:
    """Return a kernel that calls the copies."""
    function = Function(text)
    return function.edited(_renamed(function, names, owner))


def _calls(function: Function, around: EnclosingScope) -> list[str]:
    return sorted({called(call) for call in find(function.body, "call_expression")} & set(around.functions))


def _renamed(function: Function, names: Mapping[str, str], owner: str) -> Iterator[Edit[str]]:
    for call in find(function.root, "call_expression"):
        if called(call) in names:
            yield replace(field(call, "function"), _own(called(call), owner))


def _own(name: str, owner: str) -> str:
    """Return a name that no port of another function gives its copy."""
    return f"{owner}_{name}"
