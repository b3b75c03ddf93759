"""Parameters by which host functions are given kernels to launch: ``time(reduce, "tree")``.

A function that does nothing else with such a parameter, and that is only ever called with the names of
kernels there, says which kernel each launch may be of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from transpile.code.identity import Same
from transpile.code.lexer import Kind, tokenize
from transpile.code.trees import ancestors, declared, descendants, parse, text
from transpile.core import Source, Span, UnitKind
from transpile.parsers.files.discovery import is_code
from transpile.parsers.files.includes import readings

_POINTER = "function_declarator"
_TEMPLATE = "template_function"
_QUIET = frozenset(("dim3", "ceil", "ceilf", "std::ceil", "min", "max", "std::min", "std::max", "sizeof"))
"""Calls that only compute, which may be written several times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A kernel that a call passes."""

    path: str
    span: Span
    kernel: str
    """As the call spells it, template arguments included."""
    unit: str
    """Its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchingParameter:
    """A parameter of a host function that stands for kernels and is launched."""

    path: str
    name: str
    launches: tuple[Span, ...]
    passed: tuple[Passed, ...]
    parameters: Span | None
    """The parameters of what it points to; None where its type is deduced."""


def launching_parameters(source: Source) -> tuple[LaunchingParameter, ...]:
    """Return the parameters of host functions that kernels are passed by, and nothing else."""
    return _found(Same(source))


@lru_cache(maxsize=64)
def root_of(data: bytes) -> Node:
    """Return the syntax of a text, which is parsed once."""
    return parse(data).root_node


@lru_cache(maxsize=8)
def _found(same: Same) -> tuple[LaunchingParameter, ...]:
    source = same.source
    code = {path: data for path, data in source.files.items() if is_code(path)}
    written = {path: root_of(data) for path, data in code.items() if b"<<<" in data}
    candidates = [
        (path, function, place, parameter)
        for path, root in written.items()
        for function in descendants(root, "function_definition")
        for place, parameter in enumerate(_parameters(function))
        if _only_launches(function, parameter)
    ]
    found = []
    for path, function, place, parameter in candidates:
        passed = _passed(source, path, function, place)
        if passed:
            found.append(_described(path, function, parameter, passed))
    return tuple(found)


def _described(path: str, function: Node, parameter: Node, passed: Sequence[Passed]) -> LaunchingParameter:
    pointed = next(descendants(parameter, _POINTER), None)
    listed = pointed.child_by_field_name("parameters") if pointed is not None else None
    name = text(declared(parameter.child_by_field_name("declarator")))
    return LaunchingParameter(
        path=path,
        name=name,
        launches=tuple(_span(item.parent or item) for item in _launches(function, name)),
        passed=tuple(passed),
        parameters=_span(listed) if listed is not None else None,
    )


def _span(node: Node) -> Span:
    return Span(start=node.start_byte, end=node.end_byte)


def _parameters(function: Node) -> list[Node]:
    declarator = function.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    return [] if listed is None else [item for item in listed.named_children if item.type != "comment"]


def _name(function: Node) -> str:
    return text(declared(function.child_by_field_name("declarator")))


def _only_launches(function: Node, parameter: Node) -> bool:
    """Tell whether a function launches what a parameter stands for, and does nothing else with it."""
    name = text(declared(parameter.child_by_field_name("declarator")))
    body = function.child_by_field_name("body")
    if not name or body is None or not _is_callable(function, parameter):
        return False
    launched = {
        callee.start_byte
        for syntax in _launches(function, name)
        if (callee := _callee(syntax)) and not does_something(syntax)
    }
    used = {item.start_byte for item in descendants(body, "identifier") if text(item) == name}
    return bool(used) and used == launched


def does_something(syntax: Node) -> bool:
    """Tell whether a launch may do something beside it where it says of how many threads."""
    calls = (text(call.child_by_field_name("function")) for call in descendants(syntax, "call_expression"))
    changes = descendants(syntax, "assignment_expression", "update_expression")
    return any(True for _ in changes) or any(name not in _QUIET for name in calls)


def _is_callable(function: Node, parameter: Node) -> bool:
    """Tell whether a parameter is a pointer to a function, or of a type that the function deduces."""
    if next(descendants(parameter, _POINTER), None) is not None:
        return True
    kind = parameter.child_by_field_name("type")
    template = next((item for item in ancestors(function) if item.type == "template_declaration"), None)
    # What a static variable keeps is kept for each type that is deduced, and these become others.
    lasting = any(text(item) == "static" for item in descendants(function, "storage_class_specifier"))
    if kind is None or template is None or lasting:
        return False
    listed = template.child_by_field_name("parameters")
    types = [item for item in (listed.named_children if listed else ()) if item.named_children]
    deduced = [text(item.named_children[-1]) for item in types]
    mentions = [item for item in descendants(function, "type_identifier") if text(item) == text(kind)]
    return text(kind) in deduced and len(mentions) == 1


def _launches(function: Node, name: str) -> Iterator[Node]:
    """Yield the configurations of the launches of a name."""
    for syntax in descendants(function, "kernel_call_syntax"):
        callee = _callee(syntax)
        if callee is not None and text(callee) == name:
            yield syntax


def _callee(syntax: Node) -> Node | None:
    call = syntax.parent
    return call.child_by_field_name("function") if call is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mentions:
    """Uses of a name in a file."""

    calls: tuple[Node, ...]
    defines: bool
    otherwise: bool
    """It is mentioned where it is neither called nor defined."""


def _mentions(data: bytes, name: str) -> _Mentions | None:
    """Return the uses of a function's name in a file; None where it has no word for it."""
    words = {
        token.start
        for stream in tokenize(data).streams
        for token in stream
        if token.kind is Kind.WORD and token.text == name.encode()
    }
    if not words:
        return None
    root = root_of(data)
    called = {
        at.start_byte: call
        for call in descendants(root, "call_expression")
        if (at := _called(call)) is not None and text(at) == name
    }
    defined = {
        at.start_byte
        for function in descendants(root, "function_definition")
        if (at := declared(function.child_by_field_name("declarator"))) is not None and text(at) == name
    }
    return _Mentions(
        calls=tuple(called.values()),
        defines=len(defined) == 1,
        otherwise=len(defined) > 1 or words != called.keys() | defined,
    )


def _passed(source: Source, path: str, function: Node, place: int) -> list[Passed]:
    """Return the kernels that calls of a function pass at a place; nothing where something else may be there.

    A translation unit that does not see this definition and has its own means that one.
    """
    name = _name(function)
    groups = [frozenset((read, *paths)) for read, paths in readings(Same(source)).items()]
    mentions = {
        other: found
        for other, data in source.files.items()
        if is_code(other) and name.encode() in data and (found := _mentions(data, name)) is not None
    }
    together = frozenset((path,)).union(*(group for group in groups if path in group))
    passed: list[Passed] = []
    for other, found in mentions.items():
        if other not in together:
            around = frozenset((other,)).union(*(group for group in groups if other in group))
            if any(mentions[item].defines for item in around - together if item in mentions):
                continue
            return []
        here = [_kernel(source, other, call, place) for call in found.calls]
        if found.otherwise or (found.defines and other != path) or None in here:
            return []
        passed += filter(None, here)
    return passed


def _called(call: Node) -> Node | None:
    """Return the name of the function or method that is called."""
    function = call.child_by_field_name("function")
    is_member = function is not None and function.type == "field_expression"
    return function.child_by_field_name("field") if function is not None and is_member else function


def _kernel(source: Source, path: str, call: Node, place: int) -> Passed | None:
    """Return the kernel that an argument of a call names; None where it is none, or may be one of several."""
    listed = call.child_by_field_name("arguments")
    given = [item for item in listed.named_children if item.type != "comment"] if listed is not None else []
    if place >= len(given) or given[place].type not in ("identifier", _TEMPLATE):
        return None
    argument = given[place]
    name = text(argument.child_by_field_name("name") if argument.type == _TEMPLATE else argument)
    meant = [
        unit
        for unit in source.units
        if unit.kind is UnitKind.KERNEL and unit.name.rpartition("::")[2] == name
    ]
    meant = [unit for unit in meant if unit.path == path] or meant
    if len(meant) != 1:
        return None
    return Passed(path=path, span=_span(argument), kernel=text(argument), unit=meant[0].id)
