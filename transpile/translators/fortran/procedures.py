"""Procedures: their declarations and definitions."""

from __future__ import annotations

import re

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Procedure, Scope, Symbol
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.code import Code, Writer
from transpile.translators.fortran.commons import Commons
from transpile.translators.fortran.emitter import Emitter
from transpile.translators.fortran.families import in_hierarchy
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.polymorphism import Virtual
from transpile.translators.fortran.routine import Routine, internal_name
from transpile.translators.fortran.sharing import shared_layout
from transpile.translators.fortran.signatures import parameter, raw, result_type, template_head
from transpile.translators.fortran.statements import labels_jumped_to
from transpile.translators.fortran.types import plain_type
from transpile.translators.fortran.usage import mentioned

_DECLARED = re.compile(
    r"^\s*(?:static |const |constexpr )*[\w:<>, *]+?[ *&](?P<name>[A-Za-z_]\w*)(?: = |;|\(|\{)"
)


class Procedures:
    """Writes the procedures of a program."""

    def __init__(self, commons: Commons) -> None:
        self.commons = commons
        self.program = commons.program
        self.usage = commons.usage
        self.declared: list[int] = []
        """Lines of the routine that is being written that declare names."""

    def routine(self, scope: Scope, out: Writer, procedure: Procedure | None = None) -> Emitter:
        """Return the writers for a scope."""
        routine = Routine(self.program, self.usage, scope, out, procedure, shared=self.commons.shared)
        for host in scope.hosts():
            for symbol in host.symbols.values():
                routine.taken.update((plain(symbol.spelling), symbol.name))
            for items in host.commons.values():
                for symbol in items:
                    routine.names[id(symbol)] = Code(self.commons.member(symbol))
        routine.formats = _formats(scope)
        return Emitter(routine)

    def declaration(self, procedure: Procedure, *, defaults: bool = True) -> str:
        """Return the head of a procedure."""
        emitter = self.routine(procedure.scope, Writer(), procedure)
        routine = emitter.routine
        captured = self.usage.captured.get(id(procedure.scope), [])
        parts = [emitter.variables.captured_parameter(item) for item in captured]
        dummies = procedure.dummies
        seen = mentioned(procedure.scope)
        for index, dummy in enumerate(dummies):
            text = parameter(dummy, routine)
            if dummy.name not in seen and not defaults and not (dummy.rank and raw(dummy)):
                text = f"[[maybe_unused]] {text}"
            if defaults and all("optional" in item.attributes for item in dummies[index:]):
                text += " = nullptr" if dummy.rank and raw(dummy) else " = {}"
            parts.append(text)
        head = f"{result_type(procedure, routine)} {internal_name(procedure)}({', '.join(parts)})"
        template = template_head(procedure)
        return f"{template} {head}" if template else head

    def declare(self, procedures: list[Procedure], out: Writer) -> None:
        """Write the declarations of procedures and of those within them."""
        for procedure in procedures:
            out.line(f"{self.declaration(procedure)};")
            self.declare([item for item in procedure.scope.procedures if item.internal], out)

    def define(self, procedure: Procedure, out: Writer) -> None:
        """Write the definition of a procedure, then those of the procedures within it."""
        unit = procedure.unit
        out.line()
        for comment in unit.comments:
            out.line(f"//{comment.rstrip(chr(92))}")
        emitter = self.routine(procedure.scope, out, procedure)
        out.open(self.declaration(procedure, defaults=False))
        self._result(emitter, procedure)
        self.locals(emitter, procedure.scope, set())
        self.body(emitter, unit)
        if procedure.result is not None and not _ends_in_return(unit.body):
            out.line(emitter.variables.return_statement())
        out.close()
        self.prune(out)
        for inner in procedure.scope.procedures:
            self.define(inner, out)

    def _result(self, emitter: Emitter, procedure: Procedure) -> None:
        """Know what the result is called."""
        result = procedure.result
        if result is None:
            return
        name = plain(result.spelling)
        if result.name == procedure.unit.name:
            name = "result" if "result" not in emitter.routine.taken else f"{name}_result"
            symbol = emitter.routine.scope.symbols[result.name]
            if not (symbol.pointer and not symbol.rank):
                emitter.routine.names[id(result)] = Code(name)
        emitter.variables.result = name

    def locals(self, emitter: Emitter, scope: Scope, elsewhere: set[int]) -> None:
        """Write the declarations of a procedure's own names.

        Args:
            emitter: The writers.
            scope: The procedure's.
            elsewhere: Identities of symbols that are declared elsewhere.
        """
        unit = scope.unit
        assert unit is not None
        out, routine = emitter.routine.out, emitter.routine
        loops = emitter.statements.loops
        captured = {
            id(item) for inner in scope.procedures for item in self.usage.captured.get(id(inner.scope), [])
        }
        loops.find_local(unit.body, captured | elsewhere)
        self.types(scope, out, emitter)
        dummies = [scope.symbols[name] for name in unit.dummies]
        lines = []
        seen = mentioned(scope) | {name for inner in scope.procedures for name in mentioned(inner.scope)}
        for symbol in self._ordered(scope):
            if id(symbol) in elsewhere or id(symbol) in loops.local or symbol.dummy or symbol.common:
                continue
            if symbol.name not in seen and symbol.name != unit.result:
                continue
            if symbol.role == "constant":
                lines.append((0, emitter.variables.constant(symbol)))
            elif symbol.role == "variable" and symbol.name == unit.result and unit.kind == "function":
                lines.append((2, self._result_variable(emitter, symbol)))
            elif symbol.role == "variable":
                lines.append((2, emitter.variables.variable(symbol)))
            elif symbol.role == "procedure" and symbol.pointer:
                lines.append((2, emitter.variables.procedure_pointer(symbol)))
        lines += [(1, line) for line in emitter.variables.prologue(dummies)]
        for _, line in sorted(lines, key=lambda item: item[0]):
            for before in routine.pre:
                out.line(before)
            routine.pre.clear()
            self.declared.append(len(out.lines))
            out.line(line)
        for symbol in scope.statement_functions:
            self._statement_function(emitter, symbol)

    def prune(self, out: Writer) -> None:
        """Drop the declarations of names that nothing after them mentions."""
        for at in reversed(self.declared):
            found = _DECLARED.search(out.lines[at])
            if found and not re.search(rf"\b{found['name']}\b", "\n".join(out.lines[at + 1 :])):
                out.drop(at)
        self.declared.clear()

    def _ordered(self, scope: Scope) -> list[Symbol]:
        """Return the names of a scope in the order of their declarations; what is implicit comes last."""
        for symbol in list(scope.symbols.values()):
            if symbol.role == "variable" and not symbol.typed:
                scope.own(symbol.name, symbol.line)
        return sorted(scope.symbols.values(), key=lambda item: item.line or 1 << 30)

    def _result_variable(self, emitter: Emitter, symbol: Symbol) -> str:
        name, own = emitter.variables.result, plain(symbol.spelling)
        text = emitter.variables.variable(symbol, static="")
        if symbol.rank and not symbol.pointer and not symbol.allocatable:
            element = plain_type(symbol.type, symbol.scope, symbol.line)
            bounds = ", ".join(emitter.variables.dimension(item) for item in symbol.dimensions or ())
            return f"fortran::Array<{element}, {symbol.rank}> {name}({bounds});"
        head, _, tail = text.partition(f" {own}")
        if symbol.pointer and not symbol.rank:
            emitter.variables.result = own
            return text
        return f"{head} {name}{tail}"

    def _statement_function(self, emitter: Emitter, symbol: Symbol) -> None:
        assert symbol.statement_function is not None
        names, value = symbol.statement_function
        routine = emitter.routine
        parameters = []
        before = dict(routine.names)
        for name in names:
            dummy = symbol.scope.own(name, symbol.line)
            parameters.append(f"{plain_type(dummy.type, symbol.scope, symbol.line)} {plain(dummy.spelling)}")
            routine.names[id(dummy)] = Code(plain(dummy.spelling))
        code = emitter.expressions.assigned(value, symbol.type)
        routine.names = before
        of = plain_type(symbol.type, symbol.scope, symbol.line)
        head = f"const auto {plain(symbol.spelling)} = [&]({', '.join(parameters)}) -> {of}"
        routine.out.line(f"{head} {{ return {code.text}; }};")

    def body(self, emitter: Emitter, unit: tree.Unit) -> None:
        """Write the statements of a unit."""
        functions = {
            id(symbol.statement_function[1])
            for symbol in emitter.routine.scope.statement_functions
            if symbol.statement_function
        }
        body = tuple(
            item for item in unit.body if not (isinstance(item, tree.Assign) and id(item.value) in functions)
        )
        emitter.statements.jumped = labels_jumped_to(body)
        emitter.statements.body(body)

    def types(self, scope: Scope, out: Writer, emitter: Emitter) -> None:
        """Write the derived types of a scope."""
        for derived in scope.derived:
            virtual = in_hierarchy(derived, self.program)
            unit = scope.unit
            if virtual and unit is not None and unit.kind not in ("module", "program"):
                raise scope.refused(
                    f"the extended type `{derived.name}` within a procedure", derived.declaration.line
                )
            out.line()
            parent = f" : {plain_type_of(derived.parent, scope)}" if derived.parent is not None else ""
            out.open(f"struct {plain(derived.spelling)}{parent}")
            for symbol in derived.components.values():
                if symbol.role == "procedure" or symbol.type.base == "procedure":
                    out.line(emitter.variables.procedure_pointer(symbol))
                    continue
                if symbol.initial is not None and isinstance(symbol.initial, tree.Null):
                    symbol.initial = None
                text = emitter.variables.variable(symbol, static="")
                # Fortran may hand over values of the type.
                out.line(shared_layout(text, symbol) if self.commons.shared and not virtual else text)
            if virtual:
                for line in Virtual(derived, emitter.routine).members():
                    out.line(line)
            out.close(";")

    def virtual(self, scope: Scope, out: Writer) -> None:
        """Write the virtual functions of the types of a scope."""
        emitter = self.routine(scope, out)
        for derived in scope.derived:
            if in_hierarchy(derived, self.program):
                for line in Virtual(derived, emitter.routine).definitions():
                    out.line(line)


def plain_type_of(derived: object, scope: Scope) -> str:
    """Return the name of a derived type."""
    from transpile.parsers.fortran.symbols import Derived, Type

    assert isinstance(derived, Derived)
    return plain_type(Type("derived", 0, None, derived), scope, derived.declaration.line)


def _formats(scope: Scope) -> dict[str, str]:
    assert scope.unit is not None
    return {
        node.label: node.text
        for statement in scope.unit.body
        for node in walk(statement)
        if isinstance(node, tree.Format)
    }


def _ends_in_return(body: tuple[tree.Statement, ...]) -> bool:
    rest = [item for item in body if not isinstance(item, (tree.Comment, tree.Format))]
    return bool(rest) and isinstance(rest[-1], tree.Return)
