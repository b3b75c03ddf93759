"""Declarations of names in host code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.assemble.host_code.tree import arguments_of, of_type, peel, text_of

_CONTAINERS = frozenset(
    (
        "translation_unit",
        "namespace_definition",
        "declaration_list",
        "linkage_specification",
        "template_declaration",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
    )
)


@dataclass(frozen=True, slots=True)
class Declared:
    """One declared name. ``type`` is the text before the declarator, such as ``const float``."""

    name: bytes
    type: bytes
    pointers: int
    arrays: int
    reference: bool
    declaration: Node
    declarator: Node
    """The outermost declarator, an ``init_declarator`` where a value is given."""
    constructed: bool
    """Has constructor arguments, as in ``std::vector<float> v(n)``."""

    @property
    def scope(self) -> Node | None:
        """Return the block, function or file that holds the name."""
        parent = self.declaration.parent
        while parent is not None and parent.type in (
            "parameter_list",
            "function_declarator",
            "pointer_declarator",
        ):
            parent = parent.parent
        return parent

    @property
    def parameter(self) -> bool:
        """Tell whether it is a function's parameter."""
        return self.declaration.type in ("parameter_declaration", "optional_parameter_declaration")

    @property
    def value(self) -> Node | None:
        """Return the initial value."""
        return (
            self.declarator.child_by_field_name("value")
            if self.declarator.type == "init_declarator"
            else None
        )

    @property
    def given(self) -> tuple[Node, ...] | None:
        """Return the arguments of its constructor; None where it has none.

        ``dim3 block(WIDTH, height)`` reads as a function of two types.
        """
        value = self.value
        if value is not None and value.type in ("argument_list", "initializer_list"):
            return tuple(child for child in value.named_children if child.type != "comment")
        if self.declarator.type != "function_declarator":
            return None
        listed = self.declarator.child_by_field_name("parameters")
        words = [child.named_children for child in listed.named_children] if listed else []
        alone = all([word.type for word in parts] == ["type_identifier"] for parts in words)
        return tuple(parts[0] for parts in words) if alone else None

    @property
    def const(self) -> bool:
        """Tell whether what it holds or points to is const."""
        return b"const" in self.type.split()

    @property
    def bare_type(self) -> bytes:
        """Return the type without ``const`` and ``struct``."""
        return b" ".join(word for word in self.type.split() if word not in (b"const", b"struct", b"static"))


def declared(node: Node) -> Declared | None:
    """Return the declaration that an identifier refers to, the closest scope first."""
    name = text_of(node)
    current: Node | None = node
    while current is not None:
        for found in in_scope(current, node.start_byte):
            if found.name == name:
                return found
        current = current.parent
    return None


def in_scope(scope: Node, before: int) -> Iterator[Declared]:
    """Yield what a scope declares ahead of a position, the latest first."""
    found: list[Declared] = []
    if scope.type == "compound_statement" or scope.type in _CONTAINERS or scope.type == "case_statement":
        found = [one for child in scope.named_children if child.start_byte < before for one in _opened(child)]
    elif scope.type == "for_statement":
        initial = scope.child_by_field_name("initializer")
        found = list(declarators(initial)) if initial is not None and initial.type == "declaration" else []
    elif scope.type == "for_range_loop":
        found = list(declarators(scope))
    elif scope.type in ("function_definition", "lambda_expression"):
        found = list(parameters(scope))
    yield from reversed(found)


def _opened(node: Node) -> Iterator[Declared]:
    """Yield the declarations of a node; conditional text is looked into, blocks are not."""
    if node.type == "declaration":
        yield from declarators(node)
    elif node.type in _CONTAINERS:
        for child in node.named_children:
            yield from _opened(child)


def parameters(function: Node) -> Iterator[Declared]:
    """Yield the parameters of a function definition or declaration."""
    listed = next(of_type(function.child_by_field_name("declarator") or function, "parameter_list"), None)
    for child in listed.named_children if listed is not None else ():
        if child.type in ("parameter_declaration", "optional_parameter_declaration"):
            yield from declarators(child)


def declarators(declaration: Node) -> Iterator[Declared]:
    """Yield every name that a declaration declares."""
    kind = declaration.child_by_field_name("type")
    if kind is None:
        return
    listed = declaration.children_by_field_name("declarator")
    if not listed:
        return
    words = [text_of(child) for child in declaration.children if child.end_byte <= listed[0].start_byte]
    spelled = b" ".join(word for word in words if word not in (b"static", b"extern", b"register"))
    for outer in listed:
        found = _unwound(outer, spelled, declaration)
        if found is not None:
            yield found


def _unwound(outer: Node, spelled: bytes, declaration: Node) -> Declared | None:
    pointers = arrays = 0
    reference = constructed = False
    node: Node | None = outer
    while node is not None and node.type not in ("identifier", "field_identifier"):
        if node.type == "pointer_declarator":
            pointers += 1
        elif node.type == "array_declarator":
            arrays += 1
        elif node.type == "function_declarator":
            constructed = True
        elif node.type == "init_declarator":
            value = node.child_by_field_name("value")
            constructed = value is not None and value.type in ("argument_list", "initializer_list")
        elif node.type == "reference_declarator":
            reference = True
            node = node.named_children[-1] if node.named_children else None
            continue
        elif node.type not in ("parenthesized_declarator",):
            return None
        inner = node.child_by_field_name("declarator")
        node = inner if inner is not None else (node.named_children[-1] if node.named_children else None)
    if node is None:
        return None
    return Declared(
        name=text_of(node),
        type=spelled,
        pointers=pointers,
        arrays=arrays,
        reference=reference,
        declaration=declaration,
        declarator=outer,
        constructed=constructed,
    )


def pointee(expression: Node) -> bytes | None:
    """Return the type that an expression points to (``float`` for ``float *p``), where a declaration tells.

    Understands names, elements of arrays of pointers and ``&name``; one level of pointers is taken off.
    """
    expression = peel(expression)
    stripped = 0
    while expression.type == "subscript_expression":
        argument = expression.child_by_field_name("argument")
        if argument is None or len(list(arguments_of_subscript(expression))) != 1:
            return None
        expression, stripped = argument, stripped + 1
    if expression.type == "pointer_expression" and text_of(expression).startswith(b"*"):
        inner = expression.child_by_field_name("argument")
        if inner is None:
            return None
        expression, stripped = peel(inner), stripped + 1
    if expression.type != "identifier":
        return None
    found = declared(expression)
    if found is None or b"auto" in found.type.split() or b"vector" in found.type:
        return None
    levels = found.pointers + found.arrays - stripped
    return (found.type + b" " + b"*" * (levels - 1)).strip() if levels >= 1 else None


def arguments_of_subscript(node: Node) -> Iterator[Node]:
    """Yield the indices of a subscript."""
    indices = node.child_by_field_name("indices")
    if indices is not None:
        yield from indices.named_children


__all__ = ["Declared", "arguments_of", "declarators", "declared", "parameters", "pointee"]
