"""The names of a function's variables, and the addresses that its expressions stand for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.trees import descendants, text

SWAPS = ("atomicCAS", "atomicCAS_block", "atomicCAS_system")
_LASTING = re.compile(r"\b(?:static|extern|__shared__|thread_local)\b")
_FLOATING = re.compile(r"\b(?:float|double|half|__half)\b")
_WHOLE = re.compile(r"\b(?:u?int\w*|u?long\w*|unsigned|signed|short|char|size_t|uint\d+_t|int\d+_t|bool)\b")
_CASTS = ("reinterpret_cast", "static_cast", "const_cast")


def squeezed(node: Node) -> str:
    """Return the text of a node without white space and comments."""
    return re.sub(r"\s+|//[^\n]*|/\*.*?\*/", "", text(node), flags=re.S)


def bare(node: Node) -> Node:
    """Return the expression within any parentheses."""
    while node.type == "parenthesized_expression" and node.named_children:
        node = next(child for child in node.named_children if child.type != "comment")
    return node


def child(node: Node, name: str) -> Node:
    """Return the child of that field, or the node itself where there is none."""
    return node.child_by_field_name(name) or node


def operator(node: Node) -> str:
    """Return the operator of an expression."""
    return text(node.child_by_field_name("operator"))


def called(node: Node) -> str:
    """Return the name that is called, without its namespace and template arguments."""
    function = node.child_by_field_name("function")
    while function is not None and function.type in ("template_function", "qualified_identifier"):
        function = function.child_by_field_name("name")
    kinds = ("identifier", "primitive_type")
    return text(function) if function is not None and function.type in kinds else ""


def arguments(node: Node) -> list[Node]:
    """Return the arguments of a call."""
    return [item for item in child(node, "arguments").named_children if item.type != "comment"]


def kind_of(type_text: str) -> str:
    """Return whether a type holds floating or whole numbers, else its spelling; empty for ``auto``."""
    if _FLOATING.search(type_text):
        return "floating"
    if _WHOLE.search(type_text):
        return "whole"
    return re.sub(r"\b(?:const|volatile|auto|register)\b|[\s*&]", "", type_text)


def calls_of(node: Node, names: tuple[str, ...]) -> Iterator[Node]:
    """Yield the calls of functions of these names."""
    return (item for item in descendants(node, "call_expression") if called(item) in names)


class Names:
    """Variables of one function by name; a name that is declared twice is known only as such."""

    def __init__(self, function: Node) -> None:
        self._initial: dict[str, Node] = {}
        self._times: Counter[str] = Counter()
        self._types: dict[str, str] = {}
        self.lasting: set[str] = set()
        self.parameters: set[str] = set()
        for item in descendants(
            function, "declaration", "parameter_declaration", "optional_parameter_declaration"
        ):
            for declarator in item.children_by_field_name("declarator"):
                self._declare(item, declarator)
        self.changed = set(self._written(function))
        self.handed_on = {
            text(bare(child(item, "argument")))
            for item in descendants(function, "pointer_expression")
            if operator(item) == "&" and not viewed(item)
        }

    def _declare(self, declaration: Node, declarator: Node) -> None:
        name = declared(declarator)
        self._times[name] += 1
        stars = "&" if reference(declarator) else ""
        self._types[name] = text(declaration.child_by_field_name("type")) + stars
        before = text(declaration)[: declarator.start_byte - declaration.start_byte]
        if _LASTING.search(before) or reference(declarator):
            self.lasting.add(name)
        if declaration.type != "declaration":
            self.parameters.add(name)
        value = declarator.child_by_field_name("value")
        if value is not None and declarator.type == "init_declarator":
            self._initial[name] = value

    def _written(self, function: Node) -> Iterator[str]:
        for item in descendants(function, "assignment_expression", "update_expression"):
            target = bare(child(item, "left" if item.type == "assignment_expression" else "argument"))
            while target.type == "field_expression":
                target = bare(child(target, "argument"))
            yield text(target)

    def local(self, name: str) -> bool:
        """Tell whether a name is a variable that only its thread sees."""
        return name in self._times and name not in self.lasting

    def kind(self, name: str) -> str:
        """Return the kind of what a variable, or what it points to, holds."""
        return kind_of(self._types.get(name, ""))

    def union(self, name: str) -> bool:
        """Tell whether a variable is a union whose type stands beside it."""
        return self._types.get(name, "").lstrip().startswith("union")

    def _settled(self, name: str) -> Node | None:
        """Return what a variable is for all its life, if nothing in that changes either."""
        value = self._initial.get(name)
        if value is None or self._times[name] != 1 or {name} & (self.changed | self.handed_on):
            return None
        inner = {
            text(item) for item in (value, *descendants(value, "identifier")) if item.type == "identifier"
        }
        return None if inner & self.changed or any(self._times[item] > 1 for item in inner) else value

    # -- addresses

    def pointed(self, node: Node) -> str:
        """Return the address that a pointer holds, in one spelling; empty where it has none."""
        node = bare(node)
        if node.type == "cast_expression":
            return self.pointed(child(node, "value"))
        if node.type == "call_expression":
            return self.pointed(arguments(node)[0]) if called(node) in _CASTS and arguments(node) else ""
        if node.type == "pointer_expression" and operator(node) == "&":
            return self.place(child(node, "argument"))
        if node.type == "binary_expression" and operator(node) == "+":
            return self._element(child(node, "left"), child(node, "right"))
        if node.type == "identifier":
            settled = self._settled(text(node))
            return (self.pointed(settled) if settled is not None else "") or text(node)
        return f"*{self.place(node)}" if self.place(node) else ""

    def place(self, node: Node) -> str:
        """Return the address of an lvalue, in one spelling; empty where it has none."""
        node = bare(node)
        if node.type == "pointer_expression" and operator(node) == "*":
            return self.pointed(child(node, "argument"))
        if node.type == "subscript_expression":
            indices = child(node, "indices").named_children
            return self._element(child(node, "argument"), indices[0]) if len(indices) == 1 else ""
        if node.type == "field_expression":
            owner = bare(child(node, "argument"))
            base = self.pointed(owner) if operator(node) == "->" else self.place(owner)
            return f"{base}.{text(node.child_by_field_name('field'))}" if base else ""
        return f"&{text(node)}" if node.type == "identifier" and not self.local(text(node)) else ""

    def _element(self, array: Node, index: Node) -> str:
        moving = ("call_expression", "assignment_expression", "update_expression")
        if index.type in moving or any(descendants(index, *moving)):
            return ""
        simple = bare(array).type in ("identifier", "field_expression")
        return f"{squeezed(array)}[{squeezed(bare(index))}]" if simple else ""

    def element_kind(self, node: Node) -> str:
        """Return the kind of what an lvalue in memory holds."""
        node = bare(node)
        if node.type == "pointer_expression":
            inner = bare(child(node, "argument"))
            if inner.type == "cast_expression":
                return kind_of(text(inner.child_by_field_name("type")))
            if inner.type == "call_expression":
                return kind_of(text(child(child(inner, "function"), "arguments")))
            return self.kind(text(inner)) if inner.type == "identifier" else ""
        if node.type == "subscript_expression":
            return self.kind(text(bare(child(node, "argument"))))
        return self.kind(text(node)) if node.type == "identifier" else ""


def declared(declarator: Node) -> str:
    """Return the name that a declarator declares."""
    if declarator.type in ("identifier", "field_identifier"):
        return text(declarator)
    inner = declarator.child_by_field_name("declarator")
    if inner is None:
        inner = next((item for item in declarator.named_children if item.type != "comment"), None)
    return declared(inner) if inner is not None else ""


def reference(declarator: Node) -> bool:
    """Tell whether a declarator declares a reference."""
    return declarator.type == "reference_declarator" or (
        declarator.type == "init_declarator"
        and child(declarator, "declarator").type == "reference_declarator"
    )


def viewed(address: Node) -> Node | None:
    """Return the expression ``*(T *)&x`` around ``&x``: another view of the same bits."""
    outer = address.parent
    if outer is not None and outer.type == "argument_list":
        outer = outer.parent
    if outer is None or outer.type not in ("cast_expression", "call_expression"):
        return None
    if outer.type == "call_expression" and called(outer) not in _CASTS:
        return None
    whole = outer.parent
    while whole is not None and whole.type == "parenthesized_expression":
        whole = whole.parent
    read = whole is not None and whole.type == "pointer_expression" and operator(whole) == "*"
    return whole if read and not _assigned(whole) else None


def _assigned(node: Node | None) -> bool:
    parent = node.parent if node is not None else None
    if parent is None or parent.type not in ("assignment_expression", "update_expression"):
        return False
    return child(parent, "left" if parent.type == "assignment_expression" else "argument") == node
