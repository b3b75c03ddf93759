"""From nodes of the grammar to expressions of our tree."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.grammar import Syntax, child, field, named, text
from transpile.parsers.fortran.operators import MODERN, assemble

_CHAINS = (
    "math_expression",
    "relational_expression",
    "logical_expression",
    "concatenation_expression",
    "unary_expression",
)
_NUMBER = re.compile(
    r"(?P<digits>\d*\.?\d*)(?:(?P<letter>[edq])(?P<power>[+-]?\d+))?(?:_(?P<kind>\w+))?$", re.I
)
_BITS = re.compile(r"(?:(?P<base>[bozx])(?P<q>['\"])(?P<digits>[0-9a-f]+)(?P=q))$", re.I)
_BASES = {"b": 2, "o": 8, "z": 16, "x": 16}
_TRIPLET = 3


class Expressions:
    """Reads expressions of one syntax tree."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax

    def expression(self, node: Node) -> tree.Expression:
        """Return the expression of a node.

        Raises:
            Refused: Where it is of a sort that we do not know.
        """
        line = self.syntax.line(node)
        if node.type in _CHAINS:
            return assemble(self._flat(node))
        match node.type:
            case "identifier" | "type_member" | "name" | "method_name":
                return tree.Name(line, text(node).lower())
            case "number_literal":
                return self._number(node)
            case "string_literal":
                return self._string(node)
            case "boolean_literal":
                return tree.Logical(line, text(node).lower().startswith(".t"))
            case "null_literal":
                return tree.Null(line)
            case "complex_literal":
                real, imaginary = named(node)
                return tree.Complex(line, self.expression(real), self.expression(imaginary))
            case "parenthesized_expression":
                return tree.Parenthesized(line, self.expression(named(node)[0]))
            case "call_expression":
                return self._apply(node)
            case "derived_type_member_expression":
                base, member = named(node)
                return tree.Member(line, self.expression(base), text(member).lower())
            case "extent_specifier":
                return self.range(node)
            case "assumed_size":
                return tree.Star(line)
            case "assumed_shape":
                return tree.Range(line, None, None)
            case "array_literal":
                return self._constructor(node)
            case "implied_do_loop_expression":
                return self._implied_do(node)
            case _:
                pass
        raise self.syntax.refused(f"`{text(node)}` ({node.type}) in an expression", node)

    def range(self, node: Node) -> tree.Range:
        """Return a subscript triplet."""
        parts: list[tree.Expression | None] = [None] * _TRIPLET
        at = 0
        for item in node.children:
            if item.type == ":":
                at += 1
            elif item.type == "::":
                at += 2
            elif item.is_named:
                parts[at] = self.expression(item)
        return tree.Range(self.syntax.line(node), *parts)

    def arguments(self, node: Node | None) -> tuple[tree.Argument, ...]:
        """Return the arguments of a list; none where there is none."""
        return tuple(self.argument(item) for item in named(node)) if node is not None else ()

    def argument(self, node: Node) -> tree.Argument:
        """Return one argument, with its keyword."""
        if node.type == "keyword_argument":
            value = self.expression(field(node, "value"))
            return tree.Argument(value, text(field(node, "name")).lower())
        return tree.Argument(self.expression(node))

    def loop(self, node: Node) -> tree.Loop:
        """Return the control of a counted loop."""
        variable, *bounds = named(node)
        first, last, *step = (self.expression(item) for item in bounds)
        return tree.Loop(text(variable).lower(), first, last, step[0] if step else None)

    def type(self, node: Node) -> tree.TypeSpec:
        """Return a type as it is written."""
        line = self.syntax.line(node)
        if node.type == "identifier":
            return tree.TypeSpec(line, "type", name=text(node).lower())
        if node.type == "derived_type":
            name = child(node, "type_name")
            base = "class" if child(node, "class") else "type"
            return tree.TypeSpec(line, base, name=text(name).lower() if name else "*")
        if node.type == "procedure":
            interface = child(node, "procedure_interface")
            return tree.TypeSpec(line, "procedure", name=text(interface).lower() if interface else "")
        words = [item.type for item in node.children if not item.is_named]
        double = words[0].startswith("double")
        base = "".join(words).removeprefix("double") if double else words[0]
        kind, length = self._kind(child(node, "kind"), base)
        return tree.TypeSpec(line, "real" if base == "precision" else base, kind, length, double=double)

    def _kind(self, node: Node | None, base: str) -> tuple[tree.Expression | None, tree.Expression | None]:
        """Return the kind and the length that a type is given."""
        kind = length = None
        if node is None:
            return None, None
        starred = node.children[0].type in ("*", "assumed_size") and base == "character"
        positional = 0
        for item in named(node):
            if starred and item.type == "assumed_size" and item.start_byte == node.start_byte:
                continue
            argument = self.argument(item)
            if argument.keyword == "kind":
                kind = argument.value
            elif argument.keyword == "len" or (base == "character" and not positional):
                length, positional = argument.value, 1
            else:
                kind = argument.value
        if node.children[0].type == "*" and base == "complex" and isinstance(kind, tree.Integer):
            kind = tree.Integer(kind.line, kind.value // 2)
        return kind, length

    def _flat(self, node: Node) -> list[tree.Expression | str]:
        """Return operands and operators of a chain in the order of the text."""
        parts: list[tree.Expression | str] = []
        for item in node.children:
            if item.type in _CHAINS:
                parts.extend(self._flat(item))
            elif item.type == "user_defined_operator" or not item.is_named:
                word = text(item).lower().replace(" ", "")
                parts.append(MODERN.get(word, word))
            elif item.type != "comment":
                parts.append(self.expression(item))
        return parts

    def _apply(self, node: Node) -> tree.Expression:
        result: tree.Expression | None = None
        for item in named(node):
            if item.type == "argument_list":
                assert result is not None
                result = tree.Apply(self.syntax.line(node), result, self.arguments(item))
            else:
                result = self.expression(item)
        assert result is not None
        return result

    def _number(self, node: Node) -> tree.Expression:
        line, written = self.syntax.line(node), text(node)
        bits = _BITS.match(written)
        if bits:
            return tree.Bits(line, int(bits["digits"], _BASES[bits["base"].lower()]))
        found = _NUMBER.match(written)
        if not found or not found["digits"].strip("."):
            raise self.syntax.refused(f"the number `{written}`", node)
        kind = (found["kind"] or "").lower()
        if "." not in found["digits"] and not found["letter"]:
            return tree.Integer(line, int(found["digits"]), kind)
        letter = (found["letter"] or "e").lower()
        if letter == "q":
            raise self.syntax.refused(f"the number `{written}` of quadruple precision", node)
        power = f"e{found['power']}" if found["power"] else ""
        return tree.Real(line, found["digits"] + power, "d" if letter == "d" else kind)

    def _string(self, node: Node) -> tree.String:
        written = text(node)
        start = min(at for at in (written.find("'"), written.find('"')) if at >= 0)
        if start:
            raise self.syntax.refused(f"the character kind of `{written}`", node)
        quote = written[start]
        return tree.String(self.syntax.line(node), written[start + 1 : -1].replace(quote * 2, quote))

    def _constructor(self, node: Node) -> tree.ArrayConstructor:
        types = [item for item in node.children_by_field_name("type") if item.is_named]
        ids = {item.id for item in types}
        items = tuple(self.expression(item) for item in named(node) if item.id not in ids)
        return tree.ArrayConstructor(self.syntax.line(node), items, self.type(types[0]) if types else None)

    def _implied_do(self, node: Node) -> tree.ImpliedDo:
        *items, control = named(node)
        loop = self.loop(control)
        return tree.ImpliedDo(self.syntax.line(node), tuple(self.expression(item) for item in items), loop)
