"""From nodes of the grammar to program units of our tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tree_sitter import Node

from transpile.parsers.fortran import source, tree
from transpile.parsers.fortran.declarations import DECLARATIONS
from transpile.parsers.fortran.grammar import Syntax, child, children, named, text
from transpile.parsers.fortran.statements import Statements

_UNITS = {
    "program": "program",
    "module": "module",
    "subroutine": "subroutine",
    "function": "function",
    "block_data": "block data",
}
_PROCEDURES = ("subroutine", "function")
_SKIPPED = ("internal_procedures", "block_label_start_expression")


def parse(
    code: str, name: str, *, fixed: bool | None = None, include: Callable[[str], str | None] = lambda _: None
) -> tree.File:
    """Return the tree of a Fortran file.

    Raises:
        Refused: Where it cannot be read, with the place.
    """
    syntax = Syntax(source.read(code, name, fixed=fixed, include=include))
    syntax.check()
    return tree.File(name, tuple(_Units(syntax).all(syntax.root)))


def parse_expression(code: str, file: str, line: int) -> tree.Expression:
    """Return an expression that stands alone, as in the clauses of directives.

    Raises:
        Refused: Where it is none.
    """
    places = tuple(source.Place(file, line) for _ in range(3))
    syntax = Syntax(source.Source(f"program p\nx = {code}\nend program\n", places))
    syntax.check()
    statement = _Units(syntax).unit(syntax.root.children[0]).body[0]
    assert isinstance(statement, tree.Assign)
    return statement.value


class _Units:
    """Reads program units of one syntax tree."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax
        self.statements = Statements(syntax)

    def all(self, node: Node) -> Iterator[tree.Unit]:
        """Yield the units below a node, each with the comments that stand before it."""
        comments: list[str] = []
        for item in node.children:
            if item.type == "comment":
                if not text(item).startswith("!$"):
                    comments.append(text(item)[1:].rstrip())
            elif item.type in _UNITS:
                yield self.unit(item, tuple(comments))
                comments.clear()
            elif item.is_named and item.type not in ("contains_statement", "end_of_statement"):
                raise self.syntax.refused(f"`{text(item)[:60]}` ({item.type})", item)

    def unit(self, node: Node, comments: tuple[str, ...] = ()) -> tree.Unit:
        """Return the unit of a node."""
        kind = _UNITS[node.type]
        head = child(node, f"{node.type}_statement")
        spelling = ""
        if head is not None:
            given = head.child_by_field_name("name") or child(head, "name")
            spelling = text(given) if given is not None else ""
        spelling = spelling or ("main" if kind == "program" else "unnamed")
        contained = child(node, "internal_procedures")
        declarations, body = self.parts(node, head)
        result, of_type, prefixes, dummies = self.interface(head if kind in _PROCEDURES else None)
        return tree.Unit(
            line=self.syntax.line(node),
            kind=kind,
            name=spelling.lower(),
            spelling=spelling,
            dummies=dummies,
            result=result or (spelling.lower() if kind == "function" else ""),
            type=of_type,
            prefixes=prefixes,
            declarations=declarations,
            body=body,
            procedures=tuple(self.all(contained)) if contained is not None else (),
            comments=comments,
        )

    def interface(
        self, head: Node | None
    ) -> tuple[str, tree.TypeSpec | None, tuple[str, ...], tuple[str, ...]]:
        """Return the result, the type, the prefixes and the dummy arguments of a procedure."""
        if head is None:
            return "", None, (), ()
        given = child(head, "function_result")
        result = text(named(given)[0]).lower() if given is not None else ""
        of_type = head.child_by_field_name("type")
        prefixes = tuple(text(item).lower() for item in children(head, "procedure_qualifier"))
        if "module" in prefixes:
            raise self.syntax.refused("a separate module procedure", head)
        listed = head.child_by_field_name("parameters")
        dummies: list[str] = []
        for item in named(listed) if listed is not None else ():
            if item.type != "identifier":
                raise self.syntax.refused(f"the dummy argument `{text(item)}`", head)
            dummies.append(text(item).lower())
        return result, self.statements.read.type(of_type) if of_type else None, prefixes, tuple(dummies)

    def parts(
        self, node: Node, head: Node | None
    ) -> tuple[tuple[tree.Declaration, ...], tuple[tree.Statement, ...]]:
        """Return the declarations and the statements of a unit."""
        declared: list[tree.Declaration] = []
        rest: list[Node] = []
        started = False
        for item in node.children:
            if item == head or not item.is_named or item.type in _SKIPPED:
                continue
            if item.type == "derived_type_definition":
                declared.append(self.derived_type(item))
            elif item.type == "interface":
                declared.append(self.generic(item))
            elif item.type in DECLARATIONS:
                declared.extend(self.statements.declarations.all([item]))
            elif item.type == "entry_statement":
                raise self.syntax.refused("`entry`", item)
            elif item.type != "comment" or started or self._belongs(item):
                started = started or item.type != "comment"
                rest.append(item)
        body = self.statements.body(rest)
        return tuple(declared), body

    def _belongs(self, comment: Node) -> bool:
        """Tell whether a comment in front of all statements is about what follows it."""
        following = comment.next_sibling
        while following is not None and following.type == "comment":
            following = following.next_sibling
        if text(comment).lower().startswith("!$omp"):
            return True
        return following is not None and following.type not in (*DECLARATIONS, "derived_type_definition")

    def derived_type(self, node: Node) -> tree.DerivedType:
        """Return a derived type."""
        head = child(node, "derived_type_statement")
        assert head is not None
        spelling = text(next(item for item in named(head) if item.type == "type_name"))
        base = child(head, "base_type_specifier")
        components: list[tree.TypeDeclaration] = []
        for item in children(node, "variable_declaration"):
            components.extend(self.statements.declarations.variables(item))
        procedures = child(node, "derived_type_procedures")
        return tree.DerivedType(
            self.syntax.line(node),
            spelling.lower(),
            spelling,
            text(named(base)[0]).lower() if base is not None else "",
            tuple(components),
            tuple(self.bindings(procedures)) if procedures is not None else (),
            child(head, "abstract_specifier") is not None,
        )

    def bindings(self, node: Node) -> Iterator[tree.Binding]:
        """Yield the procedures that are bound to a type."""
        for item in named(node):
            if item.type == "final_statement":
                raise self.syntax.refused("a final procedure", item)
            if item.type not in ("procedure_statement", "generic_statement"):
                continue
            attributes = tuple(
                text(part).lower().split("(")[0] for part in children(item, "procedure_attribute")
            )
            interface = child(item, "procedure_interface")
            if interface is not None:
                attributes = (*attributes, f"interface:{text(interface).lower()}")
            passed = None
            for part in children(item, "procedure_attribute"):
                if part.children[0].type == "pass" and named(part):
                    passed = text(named(part)[0]).lower()
            for declared in item.children_by_field_name("declarator"):
                if not declared.is_named:
                    continue
                if declared.type == "method_name":
                    name = text(declared).lower()
                    yield tree.Binding(name, (name,), attributes, passed)
                    continue
                names = [text(part).lower().replace(" ", "") for part in named(declared)]
                yield tree.Binding(
                    names[0], tuple(names[1:]), attributes, passed, declared.type == "binding_list"
                )

    def generic(self, node: Node) -> tree.Interface:
        """Return an interface block."""
        head = child(node, "interface_statement")
        assert head is not None
        given = child(head, "name", "operator", "assignment")
        names = [
            text(item).lower()
            for statement in children(node, "procedure_statement")
            for item in statement.children_by_field_name("declarator")
            if item.is_named
        ]
        bodies = tuple(self.unit(item) for item in children(node, "subroutine", "function"))
        name = text(given).lower().replace(" ", "") if given is not None else ""
        abstract = child(head, "abstract_specifier") is not None
        return tree.Interface(self.syntax.line(node), name, abstract, tuple(names), bodies)
