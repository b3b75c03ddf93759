"""The local variables and parameters of a function: where each is declared, read and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import cast

from tree_sitter import Node

from transpile.code.syntax import (
    Function,
    ancestors,
    arguments,
    called,
    declared_name,
    find,
    inside,
    operator,
    source,
    walk,
)
from transpile.code.syntax import field as child_of
from transpile.code.types import bare, customary


@dataclass(slots=True, eq=False)
class Variable:
    """A name with one declaration."""

    name: str
    type: str
    """Declared type without the declarator, storage class or qualifiers of memory spaces."""
    declarator: Node
    declaration: Node
    scope: Node
    initializer: Node | None = None
    parameter: bool = False
    pointer: bool = False
    array: bool = False
    reference: bool = False
    shared: bool = False
    static: bool = False
    """Every run of its declaration finds what the last one left, or what the file or another one has."""
    uses: list[Node] = field(default_factory=list)
    """Identifiers that name it, its declaration excluded."""
    writes: list[Node] = field(default_factory=list)
    """Assignments and updates of the variable itself (of an element, for an array)."""
    leaks: list[Node] = field(default_factory=list)
    """Where its address or a reference to it is handed on."""

    @property
    def escapes(self) -> bool:
        """Tell whether its address or a reference to it is handed on."""
        return bool(self.leaks)

    @property
    def bare(self) -> str:
        """Return its type as ``types.bare`` does."""
        return bare(self.type)

    @property
    def shape(self) -> Node:
        """Return its declarator without an initializer."""
        whole = self.declarator
        return child_of(whole, "declarator") if whole.type == "init_declarator" else whole

    @property
    def constant(self) -> bool:
        """Tell whether it keeps the value of its initializer."""
        return not self.writes and not self.escapes


@dataclass(slots=True, eq=False)
class Variables:
    """Every variable of a function, and which one an identifier names."""

    all: list[Variable]
    by_use: dict[int, Variable]
    by_macro: dict[int, tuple[Variable, ...]] = field(default_factory=dict)
    """Those that the expansion of a macro names."""
    pure: Callable[[str], bool] = field(default=lambda _name: False)
    """Tells whether a function of the source computes with its arguments and does nothing else."""
    _unbound: list[Node] | None = None

    def of(self, identifier: Node) -> Variable | None:
        """Return the variable that an identifier node names; None for what is declared elsewhere."""
        return self.by_use.get(identifier.id)

    def in_macros(self, variable: Variable) -> bool:
        """Tell whether the expansion of a macro names a variable."""
        return any(variable in found for found in self.by_macro.values())

    def unbound(self, whole: Node) -> list[Node]:
        """Return the identifiers of the whole text that name none of the variables, in source order."""
        if self._unbound is None:
            self._unbound = [node for node in find(whole, "identifier") if self.of(node) is None]
        return self._unbound

    def used_in(self, node: Node) -> list[Variable]:
        """Return the variables that are named within a node, in order of first use."""
        found: dict[int, Variable] = {}
        for item in find(node, "identifier", "type_identifier"):
            variable = self.by_use.get(item.id)
            if variable is not None:
                found.setdefault(id(variable), variable)
        return list(found.values())

    def needed_in(self, node: Node) -> list[Variable]:
        """Return the variables that are named within a node, and by macros in it."""
        found = dict.fromkeys(self.used_in(node))
        for item in find(node, "identifier"):
            found |= dict.fromkeys(self.by_macro.get(item.id, ()))
        return list(found)


_SCOPES = frozenset(
    {
        "compound_statement",
        "for_statement",
        "for_range_loop",
        "if_statement",
        "while_statement",
        "lambda_expression",
    }
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_LASTING = ("static", "extern", "thread_local", "_Thread_local", "__thread")
_DECLARATORS = frozenset(
    {
        "identifier",
        "init_declarator",
        "pointer_declarator",
        "array_declarator",
        "reference_declarator",
        "parenthesized_declarator",
    }
)


def resolve(
    function: Function,
    by_reference: Callable[[str, int], bool] = lambda *_: False,
    macros: Mapping[str, Collection[str]] = MappingProxyType({}),
    pure: Callable[[str], bool] = lambda _name: False,
) -> Variables:
    """Return the variables of a function.

    Args:
        function: The function.
        by_reference: Tells whether a callee takes references.
        macros: The words in the expansions of macros, by their names.
        pure: Tells whether a function of the source computes with its arguments and does nothing else.
    """
    key = (by_reference, id(macros), pure)
    known = function.resolved.get(key)
    if known is not None:
        return cast("Variables", known[0])
    resolver = _Resolver(function.text, macros)
    for parameter in function.parameters:
        if parameter.name:
            resolver.declare(parameter.node, child_of(parameter.node, "declarator"), function.node, True)
    resolver.visit(function.body, function.node)
    for variable in resolver.all:
        for use in variable.uses:
            _note_effect(variable, use, by_reference)
    found = Variables(resolver.all, resolver.by_use, resolver.by_macro, pure)
    function.resolved[key] = (found, macros)  # kept, so that no other mapping takes its number
    return found


class _Resolver:
    """Walks a function once, with a stack of scopes."""

    def __init__(self, text: str, macros: Mapping[str, Collection[str]]) -> None:
        self.text = text
        self.macros = macros
        self.all: list[Variable] = []
        self.by_use: dict[int, Variable] = {}
        self.by_macro: dict[int, tuple[Variable, ...]] = {}
        self.visible: list[tuple[Node, dict[str, Variable]]] = []

    def declare(self, declaration: Node, declarator: Node, scope: Node, parameter: bool = False) -> None:
        name = declared_name(declarator)
        initializer = (
            declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
        )
        shape = child_of(declarator, "declarator") if declarator.type == "init_declarator" else declarator
        before = self.text[declaration.start_byte : declaration.start_byte + 200]
        kinds = {node.type for node in walk(shape) if node.type.endswith("_declarator")}
        if declarator.type == "function_declarator":
            kinds = set()
        variable = Variable(
            name=name,
            type=declared_type(declaration),
            declarator=declarator,
            declaration=declaration,
            scope=scope,
            initializer=initializer,
            parameter=parameter,
            pointer="pointer_declarator" in kinds or (parameter and "array_declarator" in kinds),
            array="array_declarator" in kinds and not parameter,
            reference="reference_declarator" in kinds or _may_refer(declaration),
            shared=before.lstrip().startswith(("__shared__", "extern __shared__", "static __shared__"))
            or "__shared__" in self.text[declaration.start_byte : shape.start_byte],
            static=_outlives_its_block(declaration),
        )
        self.all.append(variable)
        while self.visible and not inside(declaration, self.visible[-1][0]):
            self.visible.pop()
        if not self.visible or self.visible[-1][0].id != scope.id:
            self.visible.append((scope, {}))
        self.visible[-1][1][name] = variable

    def lookup(self, identifier: Node, name: str) -> Variable | None:
        for scope, names in reversed(self.visible):
            if name in names and inside(identifier, scope):
                return names[name]
        return None

    def visit(self, node: Node, scope: Node) -> None:
        if node.type in _SCOPES:
            scope = node
        if node.type in ("declaration", "parameter_declaration", "for_range_loop"):
            self._visit_declaration(node, scope)
            return
        if node.type == "identifier":
            self._use(node)
            return
        for child in node.children:
            self.visit(child, scope)

    def _use(self, name: Node) -> None:
        variable = self.lookup(name, source(name))
        if variable is not None:
            variable.uses.append(name)
            self.by_use[name.id] = variable
        elif words := self.macros.get(source(name)):
            found = (self.lookup(name, word) for word in sorted(words))
            self.by_macro[name.id] = tuple(item for item in found if item is not None)

    def _given(self, declarator: Node) -> list[Node]:
        """Return what ``T a(n)`` makes a variable of, which looks like a function; nothing of a function."""
        parameters = child_of(declarator, "parameters").named_children
        types = [item.child_by_field_name("type") for item in parameters]
        names = [item for item in types if item is not None and item.type == "type_identifier"]
        return names if any(self.lookup(item, source(item)) is not None for item in names) else []

    def _visit_declaration(self, node: Node, scope: Node) -> None:
        for index, child in enumerate(node.children):
            declares = child.type in _DECLARATORS and not any(find(child, "structured_binding_declarator"))
            if node.field_name_for_child(index) == "declarator" and declares:
                if child.type == "init_declarator":
                    self.visit(child_of(child, "value"), scope)
                for sizes in find(child, "array_declarator"):
                    size = sizes.child_by_field_name("size")
                    if size is not None:
                        self.visit(size, scope)
                self.declare(node, child, scope)
            elif child.type == "function_declarator" and (given := self._given(child)):
                for item in given:
                    self._use(item)
                self.declare(node, child, scope)
            elif child.is_named:
                self.visit(child, scope)


def _outlives_its_block(declaration: Node) -> bool:
    """Tell whether a declaration is of a variable that has no storage of the block it stands in."""
    given = (child for child in declaration.children if child.type == "storage_class_specifier")
    return any(source(child) in _LASTING for child in given)


def _may_refer(declaration: Node) -> bool:
    """Tell whether a type is taken from an expression, and may be a reference."""
    return any(child.type == "decltype" for child in declaration.children)


def declared_type(declaration: Node) -> str:
    """Return the type of a declaration, ``customary``, without storage class or memory space."""
    parts = []
    for index, child in enumerate(declaration.children):
        if declaration.field_name_for_child(index) == "declarator":
            break
        if child.type in ("storage_class_specifier", "alignas_qualifier", "attribute_specifier", "comment"):
            continue
        text = _COMMENT.sub("", source(child))
        if text in ("__shared__", "__restrict__", "extern", "static") or text.startswith("alignas"):
            continue
        parts.append(text)
    return customary(" ".join(parts))


def _note_effect(variable: Variable, use: Node, by_reference: Callable[[str, int], bool]) -> None:
    """Record what the place of a use does to its variable."""
    node = use
    for parent in ancestors(use):
        if parent.type == "parenthesized_expression":
            node = parent
            continue
        if parent.type == "field_expression" and operator(parent) != "->" and not variable.pointer:
            node = parent
            continue
        if parent.type == "subscript_expression" and child_of(parent, "argument").id == node.id:
            if not variable.array:
                return
            node = parent
            continue
        break
    else:
        return
    if (
        parent.type == "assignment_expression" and child_of(parent, "left").id == node.id
    ) or parent.type == "update_expression":
        variable.writes.append(parent)
    elif (
        parent.type == "pointer_expression" and operator(parent) == "&"
    ) or parent.type == "lambda_capture_specifier":
        if not _only_atomic(parent):
            variable.leaks.append(parent)
    elif (
        parent.type == "argument_list"
        and parent.parent is not None
        and by_reference(called(parent.parent), _position(node, parent))
    ) or (parent.type == "init_declarator" and "reference_declarator" in {n.type for n in walk(parent)}):
        variable.leaks.append(parent)


def _position(argument: Node, arguments_list: Node) -> int:
    """Return which argument of a call a node is."""
    given = [child for child in arguments_list.named_children if child.type != "comment"]
    return next((index for index, child in enumerate(given) if child.id == argument.id), len(given))


def _only_atomic(address: Node) -> bool:
    """Tell whether an address is taken only to be the target of an atomic function."""
    call = address.parent.parent if address.parent is not None else None
    if call is None or call.type != "call_expression" or not called(call).startswith("atomic"):
        return False
    return arguments(call)[0].id == address.id
