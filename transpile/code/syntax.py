"""One C++ function as text with a syntax tree, and the edits that turn it into another text.

Text is held as ``str`` decoded from Latin-1, so that an index into it is a byte offset of the tree and
bytes that are not UTF-8 survive.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import tree_sitter_cuda
from tree_sitter import Language, Node, Parser

from transpile.code.edits import Edit, apply_outermost

_PARSER = Parser(Language(tree_sitter_cuda.language()))

STATEMENTS = frozenset(
    {
        "expression_statement",
        "declaration",
        "if_statement",
        "for_statement",
        "for_range_loop",
        "while_statement",
        "do_statement",
        "switch_statement",
        "return_statement",
        "break_statement",
        "continue_statement",
        "goto_statement",
        "labeled_statement",
        "compound_statement",
        "type_definition",
        "alias_declaration",
        "using_declaration",
        "static_assert_declaration",
    }
)
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
"""The comparison of whole numbers that holds where another does not."""
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The comparison that holds where the two sides of another change places."""
LOOPS = frozenset({"for_statement", "while_statement", "do_statement", "for_range_loop"})
INDENT = "    "
_LONGEST = 60
"""Characters of code in a message."""


@lru_cache(maxsize=256)
def parse(text: str) -> Node:
    """Return the root of the syntax tree of the text."""
    return _PARSER.parse(text.encode("latin-1")).root_node


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it, in source order."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.children))


def find(node: Node, *types: str) -> Iterator[Node]:
    """Yield the nodes of these types at or below the node, in source order."""
    return (item for item in walk(node) if item.type in types)


def outside_lambdas(node: Node, *types: str) -> Iterator[Node]:
    """Yield the nodes of these types at or below the node, but none of a lambda: its jumps stay in it."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in types:
            yield current
        if current.type != "lambda_expression":
            stack.extend(reversed(current.children))


def ancestors(node: Node) -> Iterator[Node]:
    """Yield the parents of the node, nearest first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def root_of(node: Node) -> Node:
    """Return the root of the tree that a node is of."""
    return [node, *ancestors(node)][-1]


def enclosing_statement(node: Node) -> Node:
    """Return the innermost statement or declaration that an expression stands in."""
    return next(a for a in ancestors(node) if a.type.endswith("_statement") or a.type == "declaration")


def inside(node: Node, outer: Node) -> bool:
    """Tell whether the node lies within the other."""
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def field(node: Node, name: str) -> Node:
    """Return the child of that field; there must be one."""
    child = node.child_by_field_name(name)
    assert child is not None, f"{node.type} without {name}"
    return child


def source(node: Node) -> str:
    """Return the text of a node."""
    return (node.text or b"").decode("latin-1")


def quoted(node: Node) -> str:
    """Return the text of a node for a message: in one line and quotes, cut off where it is long."""
    text = " ".join(source(node).split())
    return f"`{text if len(text) <= _LONGEST else text[:_LONGEST] + ' …'}`"


def squeeze(text: str) -> str:
    """Return the text without comments and with its white space folded, for comparison."""
    return re.sub(r"\s+", "", re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S))


def replace(node: Node, text: str) -> Edit[str]:
    """Return the edit that puts a text in the place of a node."""
    return Edit(node.start_byte, node.end_byte, text)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as it is declared."""

    name: str
    text: str
    node: Node

    @property
    def pointer(self) -> bool:
        """Tell whether it is a pointer or an array."""
        return "*" in self.text or "[" in self.text


class Function:
    """The parts of a text that holds one function definition."""

    def __init__(self, text: str, reserved: Collection[str] = ()) -> None:
        """Read a text; names that are ``reserved``, such as those of macros, are none to give to anything."""
        self.text = text
        self._reserved = reserved
        self.root = parse(text)
        self.node = next(find(self.root, "function_definition"))
        self.body = field(self.node, "body")
        self.declarator = next(find(field(self.node, "declarator"), "function_declarator"))
        self.parameter_list = field(self.declarator, "parameters")
        self.parameters = tuple(self._parameters())
        self.resolved: dict[object, Any] = {}
        """Its variables, as ``variables.resolve`` has found them, by what it was told."""

    @staticmethod
    def of(text: str) -> Function:
        """Return the function of a text, the same one for as long as it is asked for: its forms are many."""
        return _function(text)

    def _parameters(self) -> Iterator[Parameter]:
        for child in self.parameter_list.named_children:
            if child.type in ("parameter_declaration", "optional_parameter_declaration"):
                declarator = child.child_by_field_name("declarator")
                name = declared_name(declarator) if declarator is not None else ""
                yield Parameter(name, source(child), child)

    @property
    def name(self) -> str:
        """Return the name as it is declared."""
        return source(field(self.declarator, "declarator"))

    @property
    def statements(self) -> list[Node]:
        """Return the statements and comments of the body."""
        return list(self.body.named_children)

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Return every identifier of the text, and those that are reserved."""
        kinds = ("identifier", "field_identifier", "type_identifier", "namespace_identifier")
        return frozenset(source(node) for node in find(self.root, *kinds)).union(self._reserved)

    def edited(self, edits: Iterable[Edit[str]]) -> str:
        """Return the whole text with the edits made."""
        return apply_outermost(self.text, edits)

    def line(self, node: Node) -> int:
        """Return the line of a node within the text, from 1."""
        return node.start_point[0] + 1


@lru_cache(maxsize=64)
def _function(text: str) -> Function:
    return Function(text)


def function_of(text: str) -> Function | None:
    """Return a text as a function; None where the parser takes it for none: C++ has no K&R style."""
    try:
        return Function(text)
    except (StopIteration, AssertionError):
        return None


def declared_name(declarator: Node) -> str:
    """Return the name that a declarator declares; empty where it declares none."""
    for node in walk(declarator):
        if node.type in ("identifier", "field_identifier", "qualified_identifier"):
            return source(node)
        if node.type == "init_declarator":
            return declared_name(field(node, "declarator"))
    return ""


def block_statements(node: Node) -> list[Node]:
    """Return the statements (and comments) of a block, or the one statement that stands for a block."""
    return list(node.named_children) if node.type == "compound_statement" else [node]


def condition(node: Node) -> Node:
    """Return the bare condition expression of an if, while, do or for statement."""
    clause = field(node, "condition")
    if clause.type == "condition_clause":
        clause = field(clause, "value")
    return unparenthesized(clause)


def subscript(element: Node) -> Node:
    """Return the subscript of an element, the first of several."""
    listed = element.child_by_field_name("indices")
    return listed.named_children[0] if listed is not None else field(element, "index")


def unparenthesized(node: Node) -> Node:
    """Return the expression within any parentheses."""
    while node.type == "parenthesized_expression":
        node = next(child for child in node.named_children if child.type != "comment")
    return node


def operator(node: Node) -> str:
    """Return the operator of a unary, binary, assignment or update expression."""
    child = node.child_by_field_name("operator")
    return source(child) if child is not None else ""


def target_of(node: Node) -> Node:
    """Return what an assignment or an update sets."""
    return field(node, "left" if node.type == "assignment_expression" else "argument")


def alternative(node: Node) -> Node | None:
    """Return the else branch of an if statement, without the keyword."""
    clause = node.child_by_field_name("alternative")
    if clause is not None and clause.type == "else_clause":
        return clause.named_children[-1]
    return clause


def consequence(node: Node) -> Node:
    """Return the branch of an if statement that is taken where the condition holds."""
    return field(node, "consequence")


_NAMES = ("identifier", "qualified_identifier", "primitive_type")


def called(node: Node) -> str:
    """Return the name that a call expression calls, without template arguments; empty for other callees.

    It is a type in ``float(x)``. A name in parentheses keeps them: it may be a type, and the call a cast.
    """
    function = node.child_by_field_name("function")
    if function is None:
        return ""
    if function.type == "template_function":
        function = field(function, "name")
    return source(function) if unparenthesized(function).type in _NAMES else ""


def arguments(node: Node) -> list[Node]:
    """Return the arguments of a call expression."""
    return [child for child in field(node, "arguments").named_children if child.type != "comment"]


# ------------------------------------------------------------------------------------------- layout


def indentation(text: str, offset: int) -> str:
    """Return the white space that the line of the offset starts with."""
    start = text.rfind("\n", 0, offset) + 1
    match = re.match(r"[ \t]*", text[start:])
    return match.group() if match else ""


def begins_line(text: str, offset: int) -> bool:
    """Tell whether nothing but white space stands before the offset in its line."""
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip()


def taken_out(text: str, node: Node) -> Edit[str]:
    """Return the edit that takes a statement out, with its line where it stands alone."""
    start, end = node.start_byte, node.end_byte
    after = re.match(r"[ \t]*\r?\n", text[end:])
    if after is None or not begins_line(text, start):
        return Edit(start, end, "")
    return Edit(text.rfind("\n", 0, start) + 1, end + after.end(), "")


def reindent(text: str, old: str, new: str) -> str:
    """Return a fragment whose lines after the first move from one indentation to another."""
    first, *rest = text.split("\n")
    moved = []
    for line in rest:
        if not line.strip():
            moved.append("")
        elif line.startswith("#") and not line.startswith("#pragma"):
            moved.append(line)
        elif line.startswith(old):
            moved.append(new + line[len(old) :])
        else:
            moved.append(new + " " * (_columns(line) - _columns(old)) + line.lstrip())
    return "\n".join([first, *moved])


def _columns(line: str) -> int:
    """Return how wide the white space is that a line starts with; tabs stop every eight columns."""
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())


def fragment(text: str, node: Node, edits: Iterable[Edit[str]], indent: str) -> str:
    """Return a statement with edits made, at an indentation."""
    edited = apply_outermost(text, edits, node.start_byte, node.end_byte)
    return indent + reindent(edited, indentation(text, node.start_byte), indent)


def indent_unit(function: Function) -> str:
    """Return the step by which the body is indented."""
    outer = indentation(function.text, function.body.end_byte - 1)
    for child in function.body.named_children:
        before = function.text[function.text.rfind("\n", 0, child.start_byte) + 1 : child.start_byte]
        if not before.strip() and before.startswith(outer) and len(before) > len(outer):
            return before[len(outer) :]
    return INDENT
