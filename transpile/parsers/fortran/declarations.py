"""From nodes of the grammar to declarations of our tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tree_sitter import Node

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.expressions import Expressions
from transpile.parsers.fortran.grammar import Syntax, child, children, field, named, text


class Declarations:
    """Reads declarations of one syntax tree."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax
        self.read = Expressions(syntax)

    def all(self, nodes: Iterable[Node]) -> tuple[tree.Declaration, ...]:
        """Return the declarations of nodes; interfaces and derived types are left to `types` and `units`."""
        result: list[tree.Declaration] = []
        for node in nodes:
            if node.type in _READERS:
                result.extend(_READERS[node.type](self, node))
            elif node.type not in _SILENT:
                raise self.syntax.refused(f"`{text(node)[:60]}` ({node.type})", node)
        return tuple(result)

    def variables(self, node: Node) -> Iterable[tree.TypeDeclaration]:
        """Yield the declaration of names of one type."""
        given = field(node, "type")
        attributes: list[str] = []
        dimensions = None
        for item in node.children_by_field_name("attribute"):
            words = "".join(part.type for part in item.children if not part.is_named)
            if words.startswith("dimension"):
                dimensions = self.bounds(child(item, "argument_list"))
            else:
                attributes.append(words.replace("intent()", "intent").replace("(", "").replace(")", ""))
        attributes += [text(item).lower() for item in children(given, "procedure_attribute")]
        entities = tuple(
            self.entity(item) for item in node.children_by_field_name("declarator") if item.is_named
        )
        yield tree.TypeDeclaration(
            self.syntax.line(node), self.read.type(given), tuple(attributes), dimensions, entities
        )

    def bounds(self, node: Node | None) -> tuple[tree.Expression, ...] | None:
        """Return the bounds of each dimension."""
        if node is None:
            return None
        return tuple(self.read.expression(item) for item in named(node))

    def entity(self, node: Node) -> tree.Entity:
        """Return a declared name with its bounds, length and initial value."""
        line = self.syntax.line(node)
        if node.type in ("init_declarator", "pointer_init_declarator"):
            inner = self.entity(field(node, "left"))
            value = self.read.expression(field(node, "right"))
            points = node.type == "pointer_init_declarator"
            return tree.Entity(
                line, inner.name, inner.spelling, inner.dimensions, inner.length, value, points
            )
        if node.type in ("sized_declarator", "coarray_declarator"):
            if node.type == "coarray_declarator" or child(node, "coarray_size"):
                raise self.syntax.refused("a coarray", node)
            name = text(named(node)[0])
            length = child(node, "character_length")
            return tree.Entity(
                line, name.lower(), name, self.bounds(child(node, "size")), self.length(length)
            )
        if node.type not in ("identifier", "method_name", "name"):
            raise self.syntax.refused(f"`{text(node)}` ({node.type}) in a declaration", node)
        return tree.Entity(line, text(node).lower(), text(node))

    def length(self, node: Node | None) -> tree.Expression | None:
        """Return the length that stands behind a name."""
        if node is None:
            return None
        inner = named(node)
        if inner:
            return self.read.expression(inner[0])
        digits = text(node).lstrip("* ").strip("() ")
        return (
            tree.Star(self.syntax.line(node))
            if digits in ("", "*")
            else tree.Integer(self.syntax.line(node), int(digits))
        )

    def modification(self, node: Node) -> Iterable[tree.Declaration]:
        """Yield an attribute that names are given."""
        qualifier = child(node, "type_qualifier")
        assert qualifier is not None
        words = "".join(part.type for part in qualifier.children if not part.is_named)
        words = words.replace("(", "").replace(")", "")
        entities = tuple(
            self.entity(item) for item in node.children_by_field_name("declarator") if item.is_named
        )
        yield tree.AttributeStatement(self.syntax.line(node), words, entities)

    def use(self, node: Node) -> Iterable[tree.Declaration]:
        """Yield a use of a module."""
        module = child(node, "module_name")
        assert module is not None
        only = child(node, "included_items")
        names = tuple(self.used(item) for item in named(only)) if only is not None else None
        renamed = tuple(self.used(item) for item in children(node, "use_alias"))
        yield tree.Use(self.syntax.line(node), text(module).lower(), names, renamed)

    def used(self, node: Node) -> tuple[str, str]:
        """Return the local name and the module's name of what is used."""
        if node.type == "use_alias":
            local, other = named(node)
            return text(local).lower(), text(other).lower()
        name = text(node).lower().replace(" ", "")
        return name, name

    def implicit(self, node: Node) -> Iterable[tree.Declaration]:
        """Yield the rules for names without a declaration."""
        rules: list[tuple[tree.TypeSpec, str]] = []
        given = None
        for item in named(node):
            if item.type in ("intrinsic_type", "derived_type"):
                given = self.read.type(item)
            elif item.type == "implicit_range" and given is not None:
                rules.append((given, text(item).lower().replace(" ", "")))
        yield tree.Implicit(self.syntax.line(node), tuple(rules))

    def parameter(self, node: Node) -> Iterable[tree.Declaration]:
        """Yield constants."""
        values = tuple(
            (text(named(item)[0]).lower(), self.read.expression(named(item)[1]))
            for item in children(node, "parameter_assignment")
        )
        yield tree.ParameterStatement(self.syntax.line(node), values)

    def common(self, node: Node) -> Iterable[tree.Declaration]:
        """Yield common blocks."""
        line = self.syntax.line(node)
        plain = [item for item in named(node) if item.type != "variable_group"]
        if plain:
            yield tree.Common(line, "", tuple(self.entity(item) for item in plain))
        for group in children(node, "variable_group"):
            name, *members = named(group)
            yield tree.Common(line, text(name).lower(), tuple(self.entity(item) for item in members))

    def data(self, node: Node) -> Iterable[tree.Declaration]:
        """Yield initial values."""
        for item in children(node, "data_set"):
            values = child(item, "data_value")
            assert values is not None
            targets = tuple(self.read.expression(part) for part in named(item) if part.type != "data_value")
            yield tree.Data(self.syntax.line(node), targets, tuple(self.repeated(values)))

    def repeated(self, node: Node) -> Iterable[tuple[tree.Expression, tree.Expression | None]]:
        """Yield values with their repetitions."""
        counts = {item.id for item in node.children_by_field_name("repeat")}
        count = None
        for item in named(node):
            if item.id in counts:
                count = self.read.expression(item)
            else:
                yield self.read.expression(item), count
                count = None

    def save(self, node: Node) -> Iterable[tree.Declaration]:
        """Yield names whose values last."""
        entities = tuple(self.entity(item) for item in children(node, "identifier"))
        yield tree.AttributeStatement(self.syntax.line(node), "save", entities)

    def access(self, node: Node) -> Iterable[tree.Declaration]:
        """Yield names that a module shows or hides."""
        names = tuple(self.entity(item) for item in children(node, "identifier"))
        word = node.type.removesuffix("_statement")
        if names or not named(node):
            yield tree.AttributeStatement(self.syntax.line(node), word, names)

    def enumeration(self, node: Node) -> Iterable[tree.Declaration]:
        """Yield the constants of an enumeration."""
        line = self.syntax.line(node)
        value: tree.Expression = tree.Integer(line, 0)
        whole = tree.TypeSpec(line, "integer")
        for statement in children(node, "enumerator_statement"):
            for item in statement.children_by_field_name("declarator"):
                entity = self.entity(item)
                value = entity.initial or value
                given = tree.Entity(line, entity.name, entity.spelling, initial=value)
                yield tree.TypeDeclaration(line, whole, ("parameter",), None, (given,))
                value = tree.Binary(line, "+", tree.Name(line, entity.name), tree.Integer(line, 1))

    def equivalence(self, node: Node) -> Iterable[tree.Declaration]:
        """Refuse shared storage."""
        raise self.syntax.refused("`equivalence`", node)

    def namelist(self, node: Node) -> Iterable[tree.Declaration]:
        """Refuse namelists."""
        raise self.syntax.refused("`namelist`", node)


_SILENT = ("import_statement", "format_statement", "comment", "statement_label", "language_binding")
_Reader = Callable[[Declarations, Node], Iterable[tree.Declaration]]
_READERS: dict[str, _Reader] = {
    "variable_declaration": Declarations.variables,
    "variable_modification": Declarations.modification,
    "use_statement": Declarations.use,
    "implicit_statement": Declarations.implicit,
    "parameter_statement": Declarations.parameter,
    "common_statement": Declarations.common,
    "data_statement": Declarations.data,
    "save_statement": Declarations.save,
    "private_statement": Declarations.access,
    "public_statement": Declarations.access,
    "enum": Declarations.enumeration,
    "equivalence_statement": Declarations.equivalence,
    "namelist_statement": Declarations.namelist,
}
DECLARATIONS = frozenset((*_READERS, "import_statement"))
