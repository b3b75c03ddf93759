"""Functions and macros of a source that compute with their arguments and do nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Protocol

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.pure_calls import PURE
from transpile.code.syntax import Function, called, field, find, function_of, operator, source
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.kernels.cuda_names import CUDA_NAME
from transpile.translators.kernels.effects import effectful

_QUALIFIER = re.compile(r"\b__(?:device|host|forceinline|inline)__\b")
_TYPE_OF = re.compile(r"\b(?:__typeof__|__typeof|typeof|decltype)\s*\([^()]*\)")


class Definitions(Protocol):
    """Definitions that names may stand for."""

    @property
    def functions(self) -> Mapping[str, tuple[str, ...]]:
        """Texts of functions by bare name."""

    @property
    def macros(self) -> Mapping[str, str]:
        """Parameters and bodies of macros by name."""

    @property
    def constants(self) -> Mapping[str, str]:
        """Numbers that constants at file scope stand for."""


def is_pure(name: str, around: Definitions, above: frozenset[str] = frozenset()) -> bool:
    """Tell whether each definition of a name reads its arguments and constants alone, and writes nothing.

    Args:
        name: As it is called, with or without namespaces.
        around: What is defined.
        above: Names whose definitions lead here.
    """
    bare = name.rpartition("::")[2]
    definitions = [*around.functions.get(bare, ())]
    if bare in around.macros:
        definitions.append(_as_function(around.macros[bare]))
    if not definitions or bare in above:
        return bare in PURE or bare in above or bare in around.constants
    asked = [_asked(text) for text in definitions]
    return all(
        names is not None and all(is_pure(other, around, above | {bare}) for other in names)
        for names in asked
    )


def _as_function(macro: str) -> str:
    """Return a function that does what a macro does with arguments that are values."""
    parameters, _, body = macro.partition("\n")
    names = [name.strip() for name in parameters.strip("() ").split(",") if name.strip()]
    return f"auto macro({', '.join(f'const int &{name}' for name in names)}) {{ return {body or '0'}; }}"


@lru_cache(maxsize=4096)
def _asked(text: str) -> frozenset[str] | None:
    """Return the names of others that a definition uses; None where it may do more than compute.

    It must not know its thread, write anything but its own variables, or take or make pointers.
    """
    plain = _TYPE_OF.sub("auto", _QUALIFIER.sub("", text))
    function = function_of(plain)
    if function is None or function.root.has_error or CUDA_NAME.search(code(plain)):
        return None
    variables = resolve(function)
    if any(_is_shared(variable) for variable in variables.all) or any(_statements(function)):
        return None
    if any(
        _is_elsewhere(node, variables)
        for node in find(function.body, "subscript_expression", "field_expression")
    ):
        return None
    if not all(node.type == "call_expression" for node in effectful(function.body, variables)):
        return None
    asked = {called(call) for call in find(function.body, "call_expression")}
    used = {source(node) for node in find(function.body, "identifier")}
    own = {variable.name for variable in variables.all}
    return frozenset((asked | used) - own) if "" not in asked else None


def _is_shared(variable: Variable) -> bool:
    """Tell whether a variable may be another's memory, or may keep its value for the next call."""
    referred = variable.reference and "const" not in source(variable.declaration)
    return variable.pointer or variable.static or referred or (variable.parameter and variable.array)


def _is_elsewhere(node: Node, variables: Variables) -> bool:
    """Tell whether an element or a member may lie behind a pointer: ``view.data[i]``, ``node->value``."""
    if node.type == "field_expression":
        return operator(node) == "->"
    array = field(node, "argument")
    variable = variables.of(array) if array.type == "identifier" else None
    return variable is None or not variable.array


def _statements(function: Function) -> Iterator[object]:
    """Yield what makes or follows a pointer, and what leaves the function's own way."""
    return find(function.body, "pointer_expression", "lambda_expression", "throw_statement", "goto_statement")
