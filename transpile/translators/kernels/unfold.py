"""Functions written on one line, brought into the shape that code is read in."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import INDENT, Function, source
from transpile.translators.kernels.draft import Draft

_TIGHT_AFTER = frozenset(["(", "[", "!", "~", "::", ".", "->"])
_TIGHT_BEFORE = frozenset([")", "]", ";", ",", "::", ".", "->", "++", "--"])
_PREFIXES = frozenset(
    {"unary_expression", "pointer_expression", "pointer_declarator", "reference_declarator"}
)
_KEYWORDS = frozenset(["if", "for", "while", "switch", "return"])


def unfold(draft: Draft) -> Draft:
    """Lay out a body that was written on one line; leave any other as it is."""
    function = draft.function
    if "\n" in source(function.body) or (len(function.body.named_children) < 2 and len(draft.text) < 100):
        return draft
    if function.root.has_error:
        return draft
    lines = _statements(function, function.body, INDENT)
    head = _tokens(function.text[: function.body.start_byte], function)
    return draft.after("unfold", "\n".join([f"{head} {{", *lines, "}"]))


def _tokens(text: str, function: Function) -> str:
    nodes = [n for n in _leaves(function.root) if n.end_byte <= len(text)]
    return _joined(nodes)


def _leaves(node: Node) -> list[Node]:
    if node.type in ("string_literal", "char_literal", "comment", "system_lib_string") or not node.children:
        return [node] if node.end_byte > node.start_byte else []
    return [leaf for child in node.children for leaf in _leaves(child)]


def _joined(leaves: list[Node]) -> str:
    """Return tokens with the spaces that people write."""
    out = ""
    previous: Node | None = None
    for leaf in leaves:
        if previous is not None and _spaced(previous, leaf):
            out += " "
        out += source(leaf)
        previous = leaf
    return out


def _spaced(left: Node, right: Node) -> bool:
    a, b = source(left), source(right)
    if b in _TIGHT_BEFORE and not (b in ("++", "--") and a in _KEYWORDS):
        return (
            b in ("++", "--")
            and right.parent is not None
            and right.parent.children[0].id == right.id
            and a != "("
        )
    if a in _TIGHT_AFTER or _prefix(left):
        return False
    if a in ("++", "--") and left.parent is not None and left.parent.children[0].id == left.id:
        return False
    if a == ")" and left.parent is not None and left.parent.type == "cast_expression":
        return False
    if b == "(":
        owner = right.parent.type if right.parent is not None else ""
        callee = owner in ("argument_list", "parameter_list", "sizeof_expression", "launch_bounds")
        return (not callee and a not in ("(", "[")) or a in _KEYWORDS
    if b == "[":
        return False
    if a in ("<", ">") or b in ("<", ">"):
        angles = ("template_argument_list", "template_parameter_list")
        around = left if a in ("<", ">") else right
        if around.parent is not None and around.parent.type in angles:
            return a == ">" and b not in (">", "(")
    return True


def _prefix(node: Node) -> bool:
    parent = node.parent
    return (
        parent is not None
        and parent.type in _PREFIXES
        and parent.children[0].id == node.id
        and source(node) in ("-", "+", "*", "&", "!", "~")
    )


def _statements(function: Function, block: Node, indent: str) -> list[str]:
    lines: list[str] = []
    for statement in block.named_children:
        lines += _statement(function, statement, indent)
    return lines


def _statement(function: Function, node: Node, indent: str) -> list[str]:
    if node.type == "compound_statement":
        return [indent + "{", *_statements(function, node, indent + INDENT), indent + "}"]
    if node.type not in ("if_statement", "for_statement", "while_statement", "else_clause"):
        return [indent + _joined(_leaves(node))]
    branch = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if node.type == "else_clause":
        branch = node.named_children[-1]
    if branch is None:
        return [indent + _joined(_leaves(node))]
    head = indent + _joined([leaf for leaf in _leaves(node) if leaf.end_byte <= branch.start_byte])
    if node.type == "else_clause" and branch.type == "if_statement":
        first, *rest = _statement(function, branch, indent)
        return [head + " " + first.strip(), *rest]
    if branch.type == "compound_statement":
        lines = [head + " {", *_statements(function, branch, indent + INDENT), indent + "}"]
    else:
        inner = _statement(function, branch, indent + INDENT)
        lines = [head, *inner] if branch.type != "expression_statement" else [head + " " + inner[0].strip()]
    alternative = node.child_by_field_name("alternative")
    if alternative is not None:
        first, *rest = _statement(function, alternative, indent)
        if lines[-1].strip() == "}":
            lines[-1] += " " + first.strip()
        else:
            lines.append(first)
        lines += rest
    return lines
