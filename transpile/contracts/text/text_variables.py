"""Values of a function's variables, as far as its text alone tells without doubt.

A name counts where it is set once and changed nowhere. What sets it is followed to numbers; what cannot be
followed, such as ``atoi(argv[1])``, stays as a name that means the same wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from transpile.code.trees import descendants, text, whole_number
from transpile.code.types import arithmetic

_DEPTH = 12
_OPERATORS = frozenset("+-*/%")
_WORDS = frozenset({"const", "constexpr", "static", "volatile", "struct", "register"})
_NULL = ("", "NULL", "nullptr", "0")
"""Initial values of a pointer that leads nowhere yet."""
_ALLOCATED: Mapping[str, tuple[int, ...]] = {
    "malloc": (0,), "valloc": (0,), "_mm_malloc": (0,), "realloc": (1,), "aligned_alloc": (1,),
    "memalign": (1,), "calloc": (0, 1),
}  # fmt: skip
"""Allocators, with the numbers of the arguments whose product they provide in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A declaration of a variable in a function."""

    kind: str
    """The type as it is spelt, without stars and brackets."""
    stars: int = 0
    sizes: tuple[Node | None, ...] = ()
    """Lengths of an array, outermost first; None where the first is left to the initialiser."""
    value: Node | None = None
    parameter: bool = False


@dataclass(slots=True)
class Variable:
    """A name of a function."""

    declared: list[Declared] = field(default_factory=list)
    changes: list[Node | None] = field(default_factory=list)
    """What is assigned to it; None for all else that changes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a function sees of its source."""

    constant: Callable[[str], Node | None]
    """The expression that a macro or a constant at file scope stands for."""
    alters: Callable[[str], bool]
    """Whether a function of that name may change its arguments, taken by reference."""
    sizes: Mapping[str, int]
    """Bytes of structs that are known, by spelling."""


class Variables:
    """The names of one function, and expressions of them."""

    def __init__(self, function: Node, around: Surroundings) -> None:
        """Read the function once."""
        self._around = around
        self._known: dict[str, Variable] = {}
        for node in descendants(function, *_READERS):
            _READERS[node.type](self, node)

    def number(self, node: Node | None, depth: int = _DEPTH) -> str | None:
        """Return a number as an expression of names that hold the same wherever they stand; else None."""
        if node is None or depth == 0:
            return None
        match node.type:
            case "number_literal":
                return whole_number(node)
            case "identifier":
                return self._named(text(node), depth - 1)
            case "parenthesized_expression" | "cast_expression":
                inner = node.child_by_field_name("value") or node.named_child(0)
                return self.number(inner, depth - 1) if _whole(node) else None
            case "sizeof_expression":
                size = self._size_of(node)
                return None if size is None else str(size)
            case "binary_expression":
                left = self.number(node.child_by_field_name("left"), depth - 1)
                right = self.number(node.child_by_field_name("right"), depth - 1)
                operator = text(node.child_by_field_name("operator"))
                known = left is not None and right is not None and operator in _OPERATORS
                return f"({left} {operator} {right})" if known else None
            case _:
                return None

    def set_by_address(self, name: str) -> bool:
        """Tell whether a name is a pointer that one call sets, given its address; before, it may be null."""
        variable = self._known.get(name)
        if variable is None or len(variable.declared) != 1 or variable.changes != [None]:
            return False
        [own] = variable.declared
        return own.stars == 1 and not own.sizes and not own.parameter and text(own.value) in _NULL

    def _named(self, name: str, depth: int) -> str | None:
        variable = self._known.get(name)
        if variable is None:
            return self.number(self._around.constant(name), depth)
        own = _only(variable)
        if own is None or own.stars or own.sizes:
            return None
        value = own.value or next(iter(variable.changes), None)
        return self.number(value, depth) or name

    def size(self, node: Node | None, depth: int = _DEPTH) -> str | None:
        """Return how many bytes lie behind a pointer, up to the end of the array; None where unknown."""
        node = _bare(node)
        if node is None or depth == 0:
            return None
        match node.type:
            case "identifier":
                return self._behind(text(node), depth - 1)
            case "binary_expression" if text(node.child_by_field_name("operator")) == "+":
                base, steps = node.child_by_field_name("left"), node.child_by_field_name("right")
                return self._less(base, steps, depth - 1)
            case "pointer_expression" if text(node).startswith("&"):
                return self._address(_bare(node.child_by_field_name("argument")), depth - 1)
            case "call_expression":
                return self._allocated(node)
            case "new_expression":
                return self._made(node)
            case _:
                return None

    def _behind(self, name: str, depth: int) -> str | None:
        variable = self._known.get(name)
        own = _only(variable) if variable is not None else None
        if variable is None or own is None or own.parameter:
            return None
        if own.sizes and not own.stars:
            return self._array(own)
        if own.stars == 1 and not own.sizes:
            return self.size(own.value or next(iter(variable.changes), None), depth)
        return None

    def _array(self, own: Declared) -> str | None:
        """Return the bytes of a variable that is an array."""
        width = self._width(own.kind)
        counts = [self.number(size) for size in own.sizes]
        if own.sizes[0] is None and own.value is not None and own.value.type == "initializer_list":
            plain = all(item.type != "initializer_pair" for item in own.value.named_children)
            items = [item for item in own.value.named_children if item.type != "comment"]
            braced = len(own.sizes) == 1 or all(item.type == "initializer_list" for item in items)
            counts[0] = str(len(items)) if plain and braced else None
        if width is None or any(count is None for count in counts):
            return None
        return " * ".join([str(width), *(f"({count})" for count in counts)])

    def _address(self, node: Node | None, depth: int) -> str | None:
        """Return the bytes from the place that ``&`` is taken of."""
        if node is None:
            return None
        if node.type == "subscript_expression":
            indices = node.child_by_field_name("indices") or node.child_by_field_name("index")
            steps = indices.named_child(0) if indices and indices.type.endswith("list") else indices
            return self._less(node.child_by_field_name("argument"), steps, depth)
        variable = self._known.get(text(node)) if node.type == "identifier" else None
        if variable is None or len(variable.declared) != 1:
            return None
        own = variable.declared[0]
        width = None if own.stars or own.sizes else self._width(own.kind)
        return None if width is None else str(width)

    def _less(self, base: Node | None, steps: Node | None, depth: int) -> str | None:
        """Return the bytes behind a pointer that stands some elements further."""
        base = _bare(base)
        variable = self._known.get(text(base)) if base is not None and base.type == "identifier" else None
        own = _only(variable) if variable is not None else None
        width = self._width(own.kind) if own is not None and len(own.sizes) + own.stars == 1 else None
        whole, count = self.size(base, depth), self.number(steps)
        if whole is None or count is None or width is None:
            return None
        return f"({whole} - {width} * ({count}))"

    def _allocated(self, node: Node) -> str | None:
        arguments = node.child_by_field_name("arguments")
        name = text(node.child_by_field_name("function")).rpartition("::")[2]
        if arguments is None or name not in _ALLOCATED:
            return None
        given = [item for item in arguments.named_children if item.type != "comment"]
        wanted = _ALLOCATED[name]
        if len(given) <= max(wanted):
            return None
        parts = [self.number(given[position]) for position in wanted]
        return None if any(part is None for part in parts) else " * ".join(f"({part})" for part in parts)

    def _made(self, node: Node) -> str | None:
        """Return the bytes of a ``new T[n]``."""
        declarator = node.child_by_field_name("declarator")
        width = self._width(text(node.child_by_field_name("type")))
        length = self.number(declarator.child_by_field_name("length")) if declarator is not None else None
        plain = declarator is not None and len(declarator.named_children) == 1
        return f"{width} * ({length})" if plain and width is not None and length is not None else None

    def _size_of(self, node: Node) -> int | None:
        """Return the value of a ``sizeof``: of a type, or of what a pointer or an array holds."""
        kind = node.child_by_field_name("type")
        if kind is not None:
            return self._width(text(kind))
        value = _bare(node.child_by_field_name("value"))
        if value is None:
            return None
        if value.type in ("pointer_expression", "subscript_expression") and not text(value).startswith("&"):
            inner = _bare(value.child_by_field_name("argument"))
            variable = self._known.get(text(inner))
            own = variable.declared[0] if variable is not None and len(variable.declared) == 1 else None
            return self._width(own.kind) if own is not None and own.stars + len(own.sizes) == 1 else None
        # ``sizeof(name)`` may be a type that the grammar cannot tell from a variable.
        return None if text(value) in self._known else self._width(text(value))

    def _width(self, spelling: str) -> int | None:
        """Return the bytes of a type; None for pointers and for what is not known."""
        if spelling.strip() in self._around.sizes:
            return self._around.sizes[spelling.strip()]
        words = spelling.split()
        plain = " ".join(word for word in words if word not in _WORDS)
        kind = arithmetic(plain)
        return self._around.sizes.get(plain, kind.size if kind is not None else None)

    def _variable(self, node: Node | None) -> Variable | None:
        node = _bare(node)
        if node is None or node.type != "identifier":
            return None
        return self._known.setdefault(text(node), Variable())

    def _declare(self, node: Node) -> None:
        kind = " ".join(
            text(child)
            for child in node.named_children
            if child.type in ("type_qualifier", "storage_class_specifier")
        )
        kind = f"{kind} {text(node.child_by_field_name('type'))}".strip()
        for item in node.children_by_field_name("declarator"):
            value = item.child_by_field_name("value") if item.type == "init_declarator" else None
            inner = item.child_by_field_name("declarator") if item.type == "init_declarator" else item
            parameter = node.type.endswith("parameter_declaration")
            self._declarator(inner, kind, value, parameter=parameter)

    def _declarator(self, node: Node | None, kind: str, value: Node | None, *, parameter: bool) -> None:
        stars, sizes = 0, list[Node | None]()
        while node is not None and node.type != "identifier":
            match node.type:
                case "pointer_declarator":
                    stars += 1
                case "array_declarator":
                    sizes.insert(0, node.child_by_field_name("size"))
                case "reference_declarator":
                    # Whoever is referred to may change by another name.
                    self._changed(value)
                    stars += 2
                case _:
                    return
            node = node.child_by_field_name("declarator") or node.named_child(node.named_child_count - 1)
        if node is not None:
            own = Declared(kind=kind, stars=stars, sizes=tuple(sizes), value=value, parameter=parameter)
            self._known.setdefault(text(node), Variable()).declared.append(own)

    def _assigned(self, node: Node) -> None:
        variable = self._variable(node.child_by_field_name("left"))
        if variable is not None:
            plain = text(node.child_by_field_name("operator")) == "="
            variable.changes.append(node.child_by_field_name("right") if plain else None)

    def _changed(self, node: Node | None) -> None:
        variable = self._variable(node)
        if variable is not None:
            variable.changes.append(None)

    def _updated(self, node: Node) -> None:
        self._changed(node.child_by_field_name("argument"))

    def _pointed(self, node: Node) -> None:
        if text(node).startswith("&"):
            self._changed(node.child_by_field_name("argument"))

    def _streamed(self, node: Node) -> None:
        if text(node.child_by_field_name("operator")) == ">>":
            self._changed(node.child_by_field_name("right"))

    def _ranged(self, node: Node) -> None:
        for item in descendants(node, "identifier"):
            if item.parent == node:
                self._changed(item)

    def _called(self, node: Node) -> None:
        arguments = node.child_by_field_name("arguments")
        if arguments is not None and self._around.alters(text(node.child_by_field_name("function"))):
            for item in arguments.named_children:
                self._changed(item)


_READERS: Mapping[str, Callable[[Variables, Node], None]] = {
    "declaration": Variables._declare,
    "parameter_declaration": Variables._declare,
    "optional_parameter_declaration": Variables._declare,
    "assignment_expression": Variables._assigned,
    "update_expression": Variables._updated,
    "pointer_expression": Variables._pointed,
    "binary_expression": Variables._streamed,
    "for_range_loop": Variables._ranged,
    "call_expression": Variables._called,
}


def _only(variable: Variable) -> Declared | None:
    """Return the declaration of a name that is set at most once."""
    if len(variable.declared) != 1:
        return None
    [own] = variable.declared
    set_already = own.value is not None or own.parameter or own.sizes
    return own if len(variable.changes) <= (0 if set_already else 1) else None


def _bare(node: Node | None) -> Node | None:
    """Return what stands inside brackets and casts."""
    while node is not None and node.type in ("parenthesized_expression", "cast_expression"):
        node = node.child_by_field_name("value") or node.named_child(0)
    return node


def _whole(node: Node) -> bool:
    """Tell whether a cast, if it is one, keeps a whole number as it is."""
    kind = node.child_by_field_name("type")
    return kind is None or not re.search(r"\*|char|short|bool|int8|int16|float|double", text(kind))
