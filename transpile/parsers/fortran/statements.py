"""From nodes of the grammar to statements of our tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tree_sitter import Node

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.declarations import DECLARATIONS, Declarations
from transpile.parsers.fortran.expressions import Expressions
from transpile.parsers.fortran.grammar import Syntax, child, children, field, named, text

_ENDS = ("end_", "block_label_start_expression", "statement_label", "else")
_CONTROLS = ("rewind", "backspace", "endfile", "flush")


class Statements:
    """Reads statements of one syntax tree."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax
        self.read = Expressions(syntax)
        self.declarations = Declarations(syntax)

    def body(self, nodes: Iterable[Node]) -> tuple[tree.Statement, ...]:
        """Return the statements of a sequence of nodes, each with the label that stands before it."""
        result: list[tree.Statement] = []
        label, row = "", -1
        for node in nodes:
            if node.type == "statement_label":
                label = text(node).lstrip("0")
                continue
            if not node.is_named or node.type.startswith(_ENDS):
                if node.is_named and label and node.type.startswith("end_"):
                    result.append(tree.Continue(self.syntax.line(node), label=label))
                    label = ""
                continue
            if node.type == "comment":
                result.append(self.comment(node, row))
                continue
            result.append(self.statement(node, label))
            label, row = "", node.end_point[0]
        return tuple(result)

    def comment(self, node: Node, row: int) -> tree.Statement:
        """Return a comment or a directive; the row is that on which the last statement ended."""
        line, words = self.syntax.line(node), text(node)
        if words.lower().startswith("!$omp"):
            return tree.Directive(line, " ".join(words[5:].lower().split()))
        return tree.Comment(line, words[1:].rstrip(), node.start_point[0] == row)

    def statement(self, node: Node, label: str = "") -> tree.Statement:
        """Return the statement of a node.

        Raises:
            Refused: Where it is of a sort that we do not know.
        """
        reader = _READERS.get(node.type)
        if reader is None:
            raise self.syntax.refused(f"`{text(node)[:60]}` ({node.type})", node)
        return reader(self, node, self.syntax.line(node), label)

    def assignment(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return an assignment, or a pointer's."""
        target, value = (item for item in named(node))
        kind = tree.Assign if node.type == "assignment_statement" else tree.PointerAssign
        return kind(line, self.read.expression(target), self.read.expression(value), label=label)

    def assigned_label(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return the assignment of a label to a variable, which holds it as a number."""
        number, variable = named(node)
        value = tree.Integer(line, int(text(number)))
        return tree.Assign(line, self.read.expression(variable), value, label=label)

    def call(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a call."""
        routine = self.read.expression(field(node, "subroutine"))
        return tree.Call(line, routine, self.read.arguments(child(node, "argument_list")), label=label)

    def keyword(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a statement of one word: a jump or `return`."""
        word = node.children[0].type
        rest = named(node)
        if word in ("exit", "cycle"):
            return tree.Jump(line, word, text(rest[0]).lower() if rest else "", label=label)
        if word == "continue":
            return tree.Continue(line, label=label)
        if word == "return" and not rest:
            return tree.Return(line, label=label)
        if word in ("go", "goto"):
            labels = tuple(
                text(item).lstrip("0") for item in rest if item.type == "statement_label_reference"
            )
            others = [item for item in rest if item.type != "statement_label_reference"]
            selector = self.read.expression(others[0]) if others else None
            assigned = selector is not None and bool(rest) and rest[0].id == others[0].id
            return tree.Goto(line, labels, selector, assigned, label=label)
        raise self.syntax.refused(f"`{text(node)}`", node)

    def conditional(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return an `if` with all of its arms."""
        arms: list[tuple[tree.Expression | None, tuple[tree.Statement, ...]]] = []
        clauses = children(node, "elseif_clause", "else_clause")
        for part in (node, *clauses):
            condition = child(part, "parenthesized_expression") if part.type != "else_clause" else None
            start = condition.end_byte if condition is not None else part.start_byte
            inner = [
                item
                for item in part.children
                if item.start_byte >= start and item not in clauses and item != condition
            ]
            inner = [item for item in inner if item.is_named and item.type != "block_label"]
            value = self.inner(condition) if condition is not None else None
            arms.append((value, self.body(inner)))
        return tree.If(line, tuple(arms), label=label)

    def inner(self, node: Node) -> tree.Expression:
        """Return what stands in parentheses."""
        return self.read.expression(named(node)[0])

    def arithmetic_if(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a jump by the sign of a number."""
        value, *targets = named(node)
        less, zero, more = (text(item).lstrip("0") for item in targets)
        return tree.ArithmeticIf(line, self.inner(value), (less, zero, more), label=label)

    def do(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a loop."""
        head = child(node, "do_statement")
        assert head is not None
        inner = [item for item in node.children if item.start_byte >= head.end_byte]
        name = self.construct_name(node)
        body = self.body(inner)
        concurrent = child(head, "concurrent_statement")
        if concurrent is not None:
            return self.concurrent(concurrent, body, line, label, name)
        control, condition = child(head, "loop_control_expression"), child(head, "while_statement")
        return tree.Do(
            line,
            body,
            self.read.loop(control) if control is not None else None,
            self.inner(named(condition)[0]) if condition is not None else None,
            name,
            label=label,
        )

    def concurrent(
        self, node: Node, body: tuple[tree.Statement, ...], line: int, label: str, name: str
    ) -> tree.Statement:
        """Return a `do concurrent`."""
        header = child(node, "concurrent_header")
        assert header is not None
        if child(node, "concurrent_locality") or child(header, "intrinsic_type"):
            raise self.syntax.refused("a locality or a type in `do concurrent`", node)
        mask = child(header, "concurrent_mask")
        loops = tuple(self.control(item) for item in children(header, "concurrent_control"))
        condition = self.read.expression(named(mask)[0]) if mask is not None else None
        return tree.DoConcurrent(line, loops, condition, body, name=name, label=label)

    def control(self, node: Node) -> tree.Loop:
        """Return one index of a `do concurrent` or a `forall`, in its triplet form."""
        variable, *bounds = named(node)
        first, last, *step = (self.read.expression(item) for item in bounds)
        return tree.Loop(text(variable).lower(), first, last, step[0] if step else None)

    def forall(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a `forall`."""
        loops = tuple(self.control(item) for item in children(node, "triplet_spec"))
        rest = [item for item in named(node) if item.type != "triplet_spec"]
        mask = None
        if rest and rest[0].type.endswith(("expression", "literal", "identifier")):
            mask = self.read.expression(rest.pop(0))
        return tree.DoConcurrent(line, loops, mask, self.body(rest), forall=True, label=label)

    def select(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a choice by value."""
        selector = child(node, "selector")
        assert selector is not None
        cases = []
        for case in children(node, "case_statement"):
            ranges = child(case, "case_value_range_list")
            head = ranges if ranges is not None else child(case, "default")
            assert head is not None
            values = (
                tuple(self.read.expression(item) for item in named(ranges)) if ranges is not None else None
            )
            inner = [item for item in case.children if item.start_byte >= head.end_byte]
            cases.append((values, self.body(item for item in inner if item.type != "block_label")))
        name = self.construct_name(node)
        return tree.Select(line, self.inner(selector), tuple(cases), name, label=label)

    def select_type(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a choice by dynamic type."""
        selector = child(node, "selector")
        assert selector is not None
        given = named(selector)[0]
        name = ""
        if given.type == "pointer_association_statement":
            local, given = named(given)
            name = text(local).lower()
        guards = []
        for guard in children(node, "type_statement"):
            default = child(guard, "default")
            head = default if default is not None else field(guard, "type")
            inner = [item for item in guard.children if item.start_byte >= head.end_byte]
            kind = "default" if default is not None else guard.children[0].type
            guards.append((kind, text(head).lower(), self.body(inner)))
        value = self.read.expression(given)
        if not name and isinstance(value, tree.Name):
            name = value.name
        return tree.SelectType(line, name, value, tuple(guards), label=label)

    def where(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return masked assignments."""
        arms: list[tuple[tree.Expression | None, tuple[tree.Statement, ...]]] = []
        for part in (node, *children(node, "elsewhere_clause")):
            mask = child(part, "parenthesized_expression")
            inner = [item for item in named(part) if item.type != "elsewhere_clause" and item != mask]
            arms.append((self.inner(mask) if mask is not None else None, self.body(inner)))
        return tree.Where(line, tuple(arms), label=label)

    def allocate(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return an allocation."""
        types = [item for item in node.children_by_field_name("type") if item.is_named]
        allocations = []
        for item in node.children_by_field_name("allocation"):
            if item.type == "sized_allocation":
                target, size = named(item)
                bounds = tuple(self.read.expression(bound) for bound in named(size))
                allocations.append(tree.Allocation(self.read.expression(target), bounds))
            elif item.is_named:
                allocations.append(tree.Allocation(self.read.expression(item), ()))
        options = tuple(self.read.argument(item) for item in children(node, "keyword_argument"))
        of_type = self.read.type(types[0]) if types else None
        return tree.Allocate(line, tuple(allocations), options, of_type, label=label)

    def deallocate(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a deallocation, or a `nullify`."""
        targets = tuple(self.read.expression(item) for item in named(node) if item.type != "keyword_argument")
        if node.type == "nullify_statement":
            return tree.Nullify(line, targets, label=label)
        options = tuple(self.read.argument(item) for item in children(node, "keyword_argument"))
        return tree.Deallocate(line, targets, options, label=label)

    def transfer(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a `write`, `print` or `read`."""
        kind = node.children[0].type
        unit, form = child(node, "unit_identifier"), child(node, "format_identifier")
        options = [self.read.argument(item) for item in children(node, "keyword_argument")]
        values: dict[str, tree.Expression | None] = {
            "unit": self.optional(unit) if unit is not None else None,
            "fmt": self.optional(form) if form is not None else None,
        }
        formatted = form is not None
        for option in options:
            if option.keyword in values:
                star = isinstance(option.value, tree.Star)
                values[option.keyword] = None if star else option.value
                formatted = formatted or option.keyword == "fmt"
        rest = tuple(option for option in options if option.keyword not in values)
        listed = child(node, "output_item_list", "input_item_list")
        items = tuple(self.read.expression(item) for item in named(listed)) if listed is not None else ()
        return tree.Transfer(line, kind, values["unit"], values["fmt"], rest, items, formatted, label=label)

    def optional(self, node: Node) -> tree.Expression | None:
        """Return a unit or a format; None for a star."""
        inner = named(node)
        if not inner:
            return (
                None
                if text(node).strip().endswith("*")
                else tree.Name(self.syntax.line(node), text(node).lower())
            )
        if inner[0].type == "statement_label_reference":
            return tree.Integer(self.syntax.line(node), int(text(inner[0])))
        return self.read.expression(inner[0])

    def file(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a statement about a file."""
        kind = node.children[0].type
        if node.type == "file_position_statement" and kind not in _CONTROLS:
            raise self.syntax.refused(f"`{text(node)}`", node)
        options = [self.read.argument(item) for item in children(node, "keyword_argument")]
        unit = child(node, "unit_identifier")
        if unit is not None:
            value = self.optional(unit)
            if value is None:
                raise self.syntax.refused(f"`{text(node)}`", node)
            if isinstance(value, tree.Parenthesized):
                value = value.inner
            options.insert(0, tree.Argument(value, "unit"))
        if child(node, "output_item_list"):
            raise self.syntax.refused("`inquire` of a length", node)
        return tree.FileStatement(line, kind, tuple(options), label=label)

    def stop(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return the end of the program."""
        inner = named(node)
        code = self.read.expression(inner[0]) if inner else None
        return tree.Stop(line, node.children[0].type == "error", code, label=label)

    def format(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a format specification."""
        return tree.Format(line, text(node)[len("format") :].strip(), label=label)

    def associate(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return an `associate`."""
        listed = child(node, "association_list")
        assert listed is not None
        names = tuple(
            (text(field(item, "name")).lower(), self.read.expression(field(item, "selector")))
            for item in children(listed, "association")
        )
        inner = [item for item in node.children if item.start_byte >= listed.end_byte]
        return tree.Associate(line, names, self.body(inner), label=label)

    def block(self, node: Node, line: int, label: str) -> tree.Statement:
        """Return a block with its declarations."""
        inner = [item for item in named(node) if item.type != "block_label_start_expression"]
        declared = [item for item in inner if item.type in DECLARATIONS]
        rest = [item for item in node.children if item.type not in DECLARATIONS]
        name = self.construct_name(node)
        return tree.Block(line, self.declarations.all(declared), self.body(rest), name, label=label)

    def construct_name(self, node: Node) -> str:
        """Return the name of a construct, or nothing."""
        label = child(node, "block_label_start_expression")
        return text(label).rstrip(":").strip().lower() if label is not None else ""


_Reader = Callable[[Statements, Node, int, str], tree.Statement]
_READERS: dict[str, _Reader] = {
    "assignment_statement": Statements.assignment,
    "pointer_association_statement": Statements.assignment,
    "assign_statement": Statements.assigned_label,
    "subroutine_call": Statements.call,
    "keyword_statement": Statements.keyword,
    "if_statement": Statements.conditional,
    "arithmetic_if_statement": Statements.arithmetic_if,
    "do_loop": Statements.do,
    "select_case_statement": Statements.select,
    "select_type_statement": Statements.select_type,
    "where_statement": Statements.where,
    "forall_statement": Statements.forall,
    "allocate_statement": Statements.allocate,
    "deallocate_statement": Statements.deallocate,
    "nullify_statement": Statements.deallocate,
    "print_statement": Statements.transfer,
    "write_statement": Statements.transfer,
    "read_statement": Statements.transfer,
    "open_statement": Statements.file,
    "close_statement": Statements.file,
    "inquire_statement": Statements.file,
    "file_position_statement": Statements.file,
    "stop_statement": Statements.stop,
    "format_statement": Statements.format,
    "associate_statement": Statements.associate,
    "block_construct": Statements.block,
}


def reader_names() -> Sequence[str]:
    """Return the sorts of nodes that are statements."""
    return tuple(_READERS)
