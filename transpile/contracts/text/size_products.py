"""Products of sizes that the values of a kernel's expressions are sums of, from its text alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from transpile.code.trees import ancestors, descendants, text
from transpile.contracts.text.identifiers import (
    arguments_of,
    called_of,
    identifiers,
    innermost,
    parameters_of,
    root_of,
)
from transpile.contracts.text.polynomial import Monomial
from transpile.contracts.text.symbols import BUILTINS
from transpile.core import greatest_of

Terms = frozenset[Monomial]
ONE: Terms = frozenset({()})

_MOST_FACTORS = 7
_MOST_TERMS = 400
_ROUNDS = 16
_CHAIN = 3
"""Comparisons that bound one another: an index below another one that is below a size."""
_SAME = frozenset({"parenthesized_expression", "cast_expression", "condition_clause", "unary_expression"})
_NUMBERS = frozenset({"number_literal", "char_literal", "string_literal", "concatenated_string"})
_NUMBERS |= {"true", "false", "null", "nullptr", "sizeof_expression", "user_defined_literal", "this"}
_COMPARED = frozenset({"<", ">", "<=", ">=", "==", "!="})
_TRUTH = _COMPARED | {"&&", "||"}
_SUMS = frozenset({"+", "-", "%", "&", "|", "^"})
_SHRINKING = frozenset({"/=", ">>=", "%=", "&="})
_UNREAD = ("lambda_expression", "goto_statement", "for_range_loop", "preproc_if", "preproc_ifdef")
_LOOPS = frozenset({"for_statement", "while_statement", "do_statement"})
_HARMLESS = re.compile(
    r"f?(?:min|max)f?|f?abs(?:f|l)?|l?l?abs|ceilf?|floorf?|roundf?|truncf?|l?l?(?:rint|round)f?|sqrtf?|rsqrtf?|logf?|log2f?|__ldg|__ldc[gs]"
    r"|__shfl\w*|__float2int_\w+|__double2int_\w+|u?min|u?max|(?:u?int|unsigned|size_t|long|float|double|u?int\d+_t)"
    r"|(?:static|reinterpret|const)_cast|__(?:u?mul24|clz|ffs|popc)|tex1Dfetch|make_\w+|__syncthreads|atomic(?!Inc|Dec|Add|CAS)\w+"
)
_FACTORS = re.compile(r"__u?mul24|__u?mulhi|__umul64hi")


class Anything(Exception):
    """The text has something of which nothing is known."""


Key = tuple[str, str]
"""A function, and the name of a variable in it."""


@dataclass(slots=True)
class _Variable:
    """Values that a variable is set to, summands, factors, and the sides of its comparisons."""

    values: list[Node] = field(default_factory=list)
    added: list[Node] = field(default_factory=list)
    scaled: list[Node] = field(default_factory=list)
    compared: list[Node] = field(default_factory=list)
    given: list[tuple[str, Node]] = field(default_factory=list)
    """Arguments, each with the function that the call stands in."""


def _nothing(_name: str) -> None:
    """Know of no constant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The functions of a kernel, and what is known of names around them."""

    functions: Mapping[str, Node] = field(default_factory=dict)
    """Trees by name, the kernel's first; none where it is not known which functions these are."""
    scalars: frozenset[str] = frozenset()
    """Numbers that are passed to the kernel, members of structs too."""
    constant: Callable[[str], Node | None] = _nothing
    """The value of a macro or of a constant at file scope."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """The numbers that parameters of the kernel's template stand for."""


class Flow:
    """The values of all variables of a kernel and of what it calls."""

    def __init__(self, whole: Text, launch: Mapping[str, Terms]) -> None:
        """Read functions until nothing new comes.

        Args:
            whole: The functions.
            launch: What stands for quantities of the launch, beside themselves.
        """
        functions = whole.functions
        self._functions, self._scalars, self._constant = functions, whole.scalars, whole.constant
        self._launch = launch
        self._kernel = next(iter(functions))
        self._variables: dict[Key, _Variable] = {}
        self._terms: dict[Key, Terms] = {}
        self._returned: dict[str, list[Node]] = {}
        self._expanded: set[str] = set()
        for name, root in functions.items():
            if root.has_error or any(True for _ in descendants(root, *_UNREAD)):
                raise Anything
            self._read(name, root)
        self._bounds: dict[Key, Terms] = {}
        for _ in range(_CHAIN):
            self._settle()
            # What one variable is bounded by may follow from another: they are not taken further in circles.
            self._bounds = {
                key: ONE.union(*(self.terms(node, key[0] or self._kernel) for node in variable.compared))
                for key, variable in self._variables.items()
                if variable.compared
            }
        self._settle()

    def reached(self) -> Terms:
        """Return the terms of all places in memory that are asked for."""
        found, asked = ONE, False
        for name, root in self._functions.items():
            for node in descendants(root, "subscript_expression", "pointer_expression", "call_expression"):
                asked = asked or node.type != "call_expression"
                found |= self._place(node, name)
            for node in descendants(root, "field_expression"):
                found |= self._place(node.child_by_field_name("argument"), name)
        if not asked:
            raise Anything
        return found

    # -- reading

    def _read(self, name: str, root: Node) -> None:
        for node in descendants(root, "parameter_declaration", "optional_parameter_declaration"):
            declarator = node.child_by_field_name("declarator")
            if declarator is not None and (named := innermost(declarator)):
                self._variables.setdefault((name, named), _Variable())
        for node in descendants(root, "declaration"):
            for item in node.children_by_field_name("declarator"):
                known = self._variables.setdefault((name, innermost(item)), _Variable())
                value = item.child_by_field_name("value") if item.type == "init_declarator" else None
                known.values += [value] if value is not None else []
        for node in descendants(root, "assignment_expression", "update_expression"):
            self._changed(name, node)
        for node in descendants(root, "binary_expression"):
            if text(node.child_by_field_name("operator")) in _COMPARED:
                sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
                for one, other in (sides, sides[::-1]):
                    for key in self._named(name, one):
                        self._variables.setdefault(key, _Variable()).compared += [other] if other else []
        self._returned[name] = [
            node.named_children[0] for node in descendants(root, "return_statement") if node.named_children
        ]
        for node in descendants(root, "call_expression"):
            called, given = called_of(node), arguments_of(node)
            if called not in self._functions:
                continue
            for parameter, argument in zip(parameters_of(self._functions[called]), given, strict=False):
                self._variables.setdefault((called, parameter), _Variable()).given.append((name, argument))

    def _changed(self, name: str, node: Node) -> None:
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        while target is not None and target.type == "parenthesized_expression":
            target = target.named_child(0)
        if target is None or target.type != "identifier":
            return
        known = self._variables.setdefault((name, text(target)), _Variable())
        value = node.child_by_field_name("right")
        operator = text(node.child_by_field_name("operator"))
        if value is None:
            known.added.append(node)
        elif operator == "=" and not any(text(item) == text(target) for item in identifiers(value)):
            known.values.append(value)
        elif operator in ("*=", "<<="):
            known.scaled.append(value)
        elif operator == "=":
            scaled = any(
                text(item.child_by_field_name("operator")) in ("*", "<<")
                and any(text(inner) == text(target) for inner in identifiers(item))
                for item in (value, *descendants(value, "binary_expression"))
                if item.type == "binary_expression"
            )
            (known.scaled if scaled else known.added).append(value)
        elif operator not in _SHRINKING:
            known.added.append(value)

    def _named(self, name: str, node: Node | None) -> Iterator[Key]:
        """Yield the variables and quantities that a side of a comparison is made of: it bounds these."""
        if node is None:
            return
        if node.type == "identifier":
            # Parameters that stay as they are have names of their own; macros and constants are no variables.
            key = name, text(node)
            if key in self._variables and (name != self._kernel or key[1] not in self._scalars):
                yield key
        elif node.type == "field_expression":
            if text(node).partition(".")[0] in BUILTINS:
                yield "", text(node)
        elif node.type == "binary_expression":
            operator = text(node.child_by_field_name("operator"))
            if operator in ("+", "-", "*", "/", ">>"):
                yield from self._named(name, node.child_by_field_name("left"))
            if operator in ("+", "-", "*"):
                yield from self._named(name, node.child_by_field_name("right"))
        elif node.type in _SAME:
            yield from self._named(name, node.named_child(node.named_child_count - 1))

    # -- values

    def _settle(self) -> None:
        """Take all variables further until nothing is new."""
        for _ in range(_ROUNDS):
            if not self._further():
                return
        raise Anything

    def _further(self) -> bool:
        """Take all variables one step further; tell whether anything is new."""
        new = False
        for key, variable in self._variables.items():
            before = self._terms.get(key, ONE)
            after = before | self._one_step(key, variable)
            if len(after) > _MOST_TERMS or any(len(term) > _MOST_FACTORS for term in after):
                raise Anything
            self._terms[key] = after
            new = new or after != before
        return new

    def _one_step(self, key: Key, variable: _Variable) -> Terms:
        name = key[0]
        bounds = self._bounds.get(key, ONE)
        found = bounds.union(*(self.terms(node, name) for node in variable.values))
        found = found.union(*(self.terms(node, caller) for caller, node in variable.given))
        for node in variable.added:
            step = ONE if node.type == "update_expression" else self._without(key, node)
            # What is compared in the loop's head stays below that; else it adds up, time after time.
            found |= step if variable.compared else product(step, self._times(node, name))
        for node in variable.scaled:
            if not variable.compared and any(item.type in _LOOPS for item in ancestors(node)):
                raise Anything
            found |= product(found, self._without(key, node))
        return found

    def _without(self, key: Key, node: Node) -> Terms:
        """Return the terms of what is added to a variable, but for its own."""
        own = self._terms.pop(key, ONE)
        try:
            return self.terms(node, key[0])
        finally:
            self._terms[key] = own

    def _times(self, node: Node, name: str) -> Terms:
        """Return how often the loops around a place run."""
        found = ONE
        for loop in ancestors(node):
            if loop.type not in _LOOPS:
                continue
            head = loop.child_by_field_name("condition")
            compared = [
                item
                for item in ([head, *descendants(head, "binary_expression")] if head is not None else [])
                if item.type == "binary_expression"
                and text(item.child_by_field_name("operator")) in _COMPARED
            ]
            if not compared:
                raise Anything
            sides = [item.child_by_field_name(side) for item in compared for side in ("left", "right")]
            found = product(found, ONE.union(*(self.terms(side, name) for side in sides)))
        return found

    def terms(self, node: Node | None, name: str) -> Terms:
        """Return the products that an expression is a sum of; Anything where that is not known."""
        if node is None or node.type in _NUMBERS:
            return ONE
        if node.type in _SAME:
            inner = node.child_by_field_name("value") or node.child_by_field_name("argument")
            return self.terms(inner or node.named_child(node.named_child_count - 1), name)
        match node.type:
            case "identifier":
                return self._of_name(text(node), name)
            case "field_expression":
                return self._of_member(node)
            case "subscript_expression" | "pointer_expression":
                if node.type == "pointer_expression" and text(node).startswith("&"):
                    return self._place(node.child_by_field_name("argument"), name)
                return ONE | {(greatest_of(root_of(node)),)}
            case "binary_expression":
                return self._of_binary(node, name)
            case "conditional_expression":
                sides = (node.child_by_field_name("consequence"), node.child_by_field_name("alternative"))
                return self.terms(sides[0], name) | self.terms(sides[1], name)
            case "assignment_expression":
                return self.terms(node.child_by_field_name("right"), name)
            case "update_expression":
                return self.terms(node.child_by_field_name("argument"), name)
            case "call_expression":
                return self._of_call(node, name)
            case "initializer_list" | "argument_list" | "comma_expression" | "compound_literal_expression":
                return ONE.union(*(self.terms(item, name) for item in node.named_children))
            case _:
                raise Anything

    def _of_name(self, word: str, name: str) -> Terms:
        found = self._terms.get((name, word), ONE)
        if name == self._kernel and word in self._scalars:
            return found | {(word,)}
        if (name, word) not in self._variables:
            return self._of_constant(word, name)
        return found

    def _of_constant(self, word: str, name: str) -> Terms:
        """Return the terms of what a macro or a constant stands for: it may name what is of the function."""
        value = self._constant(word)
        if value is None:
            return ONE
        if word in self._expanded:
            raise Anything
        self._expanded.add(word)
        try:
            return self.terms(value, name)
        finally:
            self._expanded.remove(word)

    def _of_member(self, node: Node) -> Terms:
        whole = text(node)
        base, _, letter = whole.partition(".")
        if base in BUILTINS:
            quantity = {"threadIdx": "blockDim", "blockIdx": "gridDim"}.get(base, base) + f".{letter}"
            known = self._terms.get(("", whole), ONE) | self._launch.get(quantity, ONE)
            return known | {(quantity,)}
        if whole in self._scalars:
            return ONE | {(whole,)}
        argument = node.child_by_field_name("argument")
        return ONE | {(greatest_of(root_of(argument)),)} if argument is not None else ONE

    def _of_binary(self, node: Node, name: str) -> Terms:
        operator = text(node.child_by_field_name("operator"))
        if operator in _TRUTH:
            return ONE
        left = self.terms(node.child_by_field_name("left"), name)
        right = node.child_by_field_name("right")
        if operator in ("/", ">>"):
            return left
        if operator == "<<" and right is not None and right.type != "number_literal":
            raise Anything
        if operator == "*":
            return product(left, self.terms(right, name))
        return left | self.terms(right, name)

    def _of_call(self, node: Node, name: str) -> Terms:
        called, given = called_of(node), arguments_of(node)
        if called in self._functions:
            return ONE.union(*(self.terms(value, called) for value in self._returned[called]))
        values = [self.terms(item, name) for item in given]
        if _FACTORS.fullmatch(called) and len(values) == 2:
            return product(*values)
        if not _HARMLESS.fullmatch(called):
            raise Anything
        return ONE.union(*values)

    def _place(self, node: Node | None, name: str) -> Terms:
        """Return the terms of how far behind a pointer something lies, or is handed on."""
        if node is None:
            return ONE
        match node.type:
            case "subscript_expression":
                indices = node.child_by_field_name("indices") or node.child_by_field_name("index")
                found = self._place(node.child_by_field_name("argument"), name)
                given = [] if indices is None else indices.named_children
                return found.union(*(self.terms(item, name) for item in given))
            case "pointer_expression":
                return self.terms(node.child_by_field_name("argument"), name)
            case "call_expression":
                return ONE.union(*(self._given(item, name) for item in arguments_of(node)))
            case "field_expression":
                return self._place(node.child_by_field_name("argument"), name)
            case "parenthesized_expression":
                return self._place(node.named_child(0), name)
            case _:
                return self.terms(node, name)

    def _given(self, node: Node, name: str) -> Terms:
        """Return the terms of an argument that may lead into an array; nothing of what else is computed."""
        pointers = node.type in ("identifier", "binary_expression", "pointer_expression", "cast_expression")
        try:
            return self.terms(node, name) if pointers else ONE
        except Anything:
            return ONE


def product(one: Terms, other: Terms) -> Terms:
    """Return the products of all terms of two sums."""
    found = frozenset(tuple(sorted((*left, *right))) for left in one for right in other)
    if len(found) > _MOST_TERMS:
        raise Anything
    return found
