"""Cut files into units: kernels, device functions and host functions, with exact byte spans."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code import trees as syntax
from transpile.code.lexer import Kind, Token, angle_closing, closing, spelled, split, tokenize
from transpile.core import Span, UnitKind
from transpile.parsers.text.outline import DeviceFunction, device_functions

_SCOPES = frozenset(("namespace_definition", "class_specifier", "struct_specifier", "union_specifier"))
_CLASSES = _SCOPES - {"namespace_definition"}
_RESTRICT = re.compile(r"\s*\b__restrict(?:__)?\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A function definition found in a file, before it is given an id."""

    path: str
    name: str
    span: Span
    body: Span
    kind: UnitKind
    parameters: tuple[Sequence[Token], ...]
    """Each with its name and default."""
    member: bool
    template: bool


def definitions(path: str, data: bytes, macros: frozenset[bytes] = frozenset()) -> list[Definition]:
    """Return the function definitions of a file in the order of the text.

    tree-sitter finds them; where it lost its way, functions with CUDA qualifiers (or with a macro that stands
    for them) are found among the tokens.
    """
    tokens = tokenize(data).text
    grammar = syntax.grammar_of(path)
    tree = syntax.parse(data, grammar)
    bodies: dict[int, Node] = {}
    for node in syntax.captures(tree.root_node, "(function_definition) @f", grammar).get("f", []):
        body = node.child_by_field_name("body")
        if body is not None and node.child_by_field_name("declarator") is not None:
            bodies[body.start_byte] = node
    found = [
        _device_definition(path, tokens, function, bodies.pop(tokens[function.body].start, None))
        for function in device_functions(tokens, macros)
    ]
    host = (_host_definition(path, data, node) for node in bodies.values())
    found += [definition for definition in host if definition is not None]
    return _outermost(sorted(found, key=lambda item: (item.span.start, -item.span.end)))


def _outermost(found: list[Definition]) -> list[Definition]:
    """Drop what lies inside another definition: methods of local classes, misparsed statements."""
    kept: list[Definition] = []
    for item in found:
        if not kept or item.span.start >= kept[-1].span.end:
            kept.append(item)
    return kept


def _device_definition(
    path: str, tokens: Sequence[Token], function: DeviceFunction, node: Node | None
) -> Definition:
    start = tokens[function.first].start
    if node is not None and not node.has_error:
        start = _start(node)
    scope, member = scope_of(node) if node is not None else ((), False)
    name = function.name.decode("utf-8", "surrogateescape")
    close = closing(tokens, function.parameters)
    body = Span(start=tokens[function.body].start, end=tokens[function.last].end)
    return Definition(
        path=path,
        name="::".join((*scope, name)),
        span=Span(start=start, end=body.end),
        body=body,
        kind=UnitKind.KERNEL if function.kernel else UnitKind.DEVICE,
        parameters=tuple(split(tokens[function.parameters + 1 : close])),
        member=member or "::" in name,
        template=function.template,
    )


def _host_definition(path: str, data: bytes, node: Node) -> Definition | None:
    body = node.child_by_field_name("body")
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator") or _inner_declarator(declarator)
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    if body is None or name is None or parameters is None:
        return None
    scope, member = scope_of(node)
    words = tokenize(parameters.text or b"").text
    return Definition(
        path=path,
        name="::".join((*scope, "".join(syntax.text(name).split()))),
        span=Span(start=_settled(data, node), end=node.end_byte),
        body=Span(start=body.start_byte, end=body.end_byte),
        kind=UnitKind.GLUE,
        parameters=tuple(split(words[1:-1])),
        member=member,
        template=_start(node) != node.start_byte
        and node.parent is not None
        and node.parent.type == "template_declaration",
    )


def _inner_declarator(node: Node) -> Node | None:
    """Return the declarator inside one whose grammar gives it no field, as references do."""
    return next((child for child in node.named_children if child.type.endswith("declarator")), None)


def _start(node: Node) -> int:
    """Return where the definition starts with its template header and its ``extern "C"``."""
    while (parent := node.parent) is not None and parent.type in (
        "template_declaration",
        "linkage_specification",
    ):
        node = parent
    return node.start_byte


def _settled(data: bytes, node: Node) -> int:
    """Return where a definition starts behind what a condition that began before it puts in front."""
    start = _start(node)
    returned = node.child_by_field_name("type")
    head = data[start : returned.start_byte] if returned is not None else b""
    opened = behind = 0
    for token in tokenize(head).text:
        if token.kind is not Kind.DIRECTIVE:
            continue
        word = token.text.lstrip(b"# \t")
        if word.startswith(b"if"):
            opened += 1
        elif not opened:
            behind = token.end
        elif word.startswith(b"endif"):
            opened -= 1
    return start + len(head) - len(head[behind:].lstrip())


def scope_of(node: Node) -> tuple[tuple[str, ...], bool]:
    """Return the names of the namespaces and classes around a node, and whether a class is among them."""
    names: list[str] = []
    member = False
    for around in syntax.ancestors(node):
        if around.type in _SCOPES:
            name = syntax.text(around.child_by_field_name("name"))
            names += [name] if name else []
            member = member or around.type in _CLASSES
    return tuple(reversed(names)), member


_BUILTIN = frozenset(
    b"""
    unsigned signed long short int char float double bool void const volatile struct class
    enum union typename __restrict__ __restrict restrict
    """.split()
)


def parameter_name(tokens: Sequence[Token]) -> int | None:
    """Return the index of the name that a parameter declares; None where it has none."""
    at = last = 0
    words = 0
    found: int | None = None
    while at < len(tokens):
        token = tokens[at]
        if token.text in (b"=", b"["):
            break
        if token.text == b"<":
            at = angle_closing(tokens, at) or at
        elif token.text == b"(" and at + 1 < len(tokens) and tokens[at + 1].text in (b"*", b"&"):
            # a pointer to a function or to an array: `float (*f)(int)`
            return next((i for i in range(at, len(tokens)) if tokens[i].kind is Kind.WORD), None)
        elif token.kind is Kind.WORD:
            typed = words > 0 and tokens[last].text != b"::"
            found = at if typed and token.text not in _BUILTIN else None
            words += token.text not in (
                b"const",
                b"volatile",
                b"struct",
                b"class",
                b"typename",
                b"enum",
                b"union",
            )
        last, at = at, at + 1
    return found


def parameter_type(tokens: Sequence[Token]) -> str:
    """Return a parameter's type as written, without its name and default."""
    name = parameter_name(tokens)
    end = next((i for i, token in enumerate(tokens) if token.text == b"="), len(tokens))
    return spelled([token for i, token in enumerate(tokens[:end]) if i != name])


def parameter_types(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the types of parameters as they are spelled, without names, defaults and ``restrict``."""
    return tuple(_RESTRICT.sub("", parameter_type(parameter)) for parameter in split(tokens))


def identifier(definition: Definition) -> str:
    """Return the id of a definition: ``path::qualified_name(types)``."""
    types = ",".join(parameter_type(parameter) for parameter in definition.parameters)
    return f"{definition.path}::{definition.name}({'' if types == 'void' else types})"
