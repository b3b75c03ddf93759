"""A whole Fortran program as one C++ file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.resolve import Program, resolve
from transpile.parsers.fortran.symbols import Procedure, Scope, Symbol
from transpile.translators.fortran.code import Writer
from transpile.translators.fortran.commons import Commons
from transpile.translators.fortran.emitter import Emitter
from transpile.translators.fortran.names import at_file_scope, plain
from transpile.translators.fortran.procedures import Procedures
from transpile.translators.fortran.sharing import shared_variable
from transpile.translators.fortran.usage import mentioned, scopes, usage

_STANDARD = {
    "algorithm": r"std::(?:max|min|copy|fill)\w*\b",
    "cmath": r"std::(?:a?(?:sin|cos|tan)h?|atan2|sqrt|exp|log\w*|[tl]gamma|pow|abs|fmod|hypot|erfc?|[a-z]+int"
    r"|l?l?round|trunc|floor|ceil|ldexp|copysign|is(?:nan|inf|finite))\b",
    "complex": r"std::(?:complex|conj|polar|arg|real|imag)\b",
    "cstdint": r"std::u?int\d+_t\b",
    "limits": r"std::numeric_limits\b",
    "string": r"std::string\b",
    "string_view": r"std::string_view\b",
    "typeinfo": r"\btypeid\b",
    "utility": r"std::(?:move|forward|swap|pair|exchange)\b",
}
"""Names of the standard library that a translation may use, by header."""


def translate(files: Iterable[tree.File]) -> str:
    """Return a program of Fortran files as C++.

    Raises:
        Refused: Where something in it has no translation, with the place.
    """
    return Port(resolve(files)).text()


class Port:
    """One program on its way to C++."""

    def __init__(self, program: Program, *, shared: bool = False) -> None:
        self.program = program
        self.shared = shared
        """Whether Fortran that is linked to it knows the variables of modules and common blocks."""
        self.usage = usage(program)
        self.main_captured = self._main_captured()
        self.commons = Commons(program, self.usage, shared=shared)
        self.procedures = Procedures(self.commons)
        self.out = Writer()
        self.origins: list[int] = []
        """Of each line of the text that was written last, the line of Fortran that it comes from."""

    def _main_captured(self) -> set[int]:
        """Return the variables that a main program shares with its procedures, without parameters."""
        found: set[int] = set()
        for scope in self.program.units:
            if scope.unit is not None and scope.unit.kind == "program":
                for procedure in scope.procedures:
                    found.update(id(item) for item in self.usage.captured.pop(id(procedure.scope), []))
        return found

    def text(self, ending: Iterable[str] = (), headers: Iterable[str] = ()) -> str:
        """Return the C++ of the whole program.

        Args:
            ending: Functions behind all others.
            headers: Lines that include what these need.
        """
        body = self.out
        self._commons()
        externals = [
            scope
            for scope in self.program.units
            if scope.unit is not None and scope.unit.kind in ("subroutine", "function")
        ]
        procedures = [
            self.program.root.symbols[scope.unit.name].procedure for scope in externals if scope.unit
        ]
        known = [item for item in procedures if item is not None]
        early, late = self._split(known)
        self._declare(early)
        for scope in self.program.modules.values():
            self._module(scope)
        self._declare(late)
        for scope in self.program.units:
            unit = scope.unit
            assert unit is not None
            if unit.kind == "program":
                self._main(scope)
            elif unit.kind in ("subroutine", "function"):
                procedure = self.program.root.symbols[unit.name].procedure
                assert procedure is not None
                self.procedures.define(procedure, self.out)
        for function in ending:
            body.line()
            for line in function.split("\n"):
                body.line(line)
        text = body.text()
        openmp = ["#include <omp.h>"] if "omp_" in text else []
        used = (name for name, names in _STANDARD.items() if re.search(names, text))
        includes = [*(f"#include <{name}>" for name in used), *openmp]
        head = (*includes, *([""] if includes else []), '#include "fortran.h"', *headers)
        self.origins = [0] * len(head) + body.origins
        return "\n".join((*head, "")) + text

    def _split(self, procedures: list[Procedure]) -> tuple[list[Procedure], list[Procedure]]:
        """Return the procedures that can be declared before all modules, and the rest."""
        early: list[Procedure] = []
        late: list[Procedure] = []
        for procedure in procedures:
            text = self.procedures.declaration(procedure).replace("fortran::", "").replace("std::", "")
            needs = "::" in text or any(item.type.derived is not None for item in procedure.dummies)
            (late if needs else early).append(procedure)
        return early, late

    def _declare(self, procedures: list[Procedure]) -> None:
        if procedures:
            self.out.line()
            self.procedures.declare(procedures, self.out)

    def _commons(self) -> None:
        emitters = {
            id(scope): self.procedures.routine(scope, self.out)
            for scope in scopes(self.program)
            if scope.commons
        }
        self.commons.write(self.out, emitters)

    def _module(self, scope: Scope) -> None:
        """Write a module as a namespace."""
        unit = scope.unit
        assert unit is not None
        self.out.line()
        for comment in unit.comments:
            self.out.line(f"//{comment.rstrip(chr(92))}")
        if any(isinstance(item, tree.Directive) for item in unit.body):
            raise scope.refused("a directive in a module's declarations", unit.line)
        self.out.line(f"namespace {plain(unit.spelling)} {{")
        emitter = self.procedures.routine(scope, self.out)
        pointers = self._names(emitter, scope, lambda symbol: True)
        for symbol in pointers:
            self.out.line(emitter.variables.procedure_pointer(symbol))
        if scope.procedures:
            self.out.line()
        self.procedures.declare(scope.procedures, self.out)
        self.procedures.virtual(scope, self.out)
        for procedure in scope.procedures:
            self.procedures.define(procedure, self.out)
        self.out.line()
        self.out.line(f"}}  // namespace {plain(unit.spelling)}")

    def _names(self, emitter: Emitter, scope: Scope, wanted: Callable[[Symbol], bool]) -> list[Symbol]:
        """Write constants, types and variables that stand in a namespace; return the procedure pointers."""
        pointers: list[Symbol] = []
        ordered = sorted(scope.symbols.values(), key=lambda item: item.line)
        for symbol in ordered:
            if symbol.role == "constant" and wanted(symbol):
                self.out.line(emitter.variables.constant(symbol))
        self.procedures.types(scope, self.out, emitter)
        for symbol in ordered:
            if symbol.role == "variable" and wanted(symbol) and not symbol.common:
                scope.own(symbol.name, symbol.line)
                text = emitter.variables.variable(symbol, at_namespace=True)
                self.out.line(shared_variable(text, symbol) if self.shared else text)
            elif symbol.role == "procedure" and symbol.pointer and wanted(symbol):
                pointers.append(symbol)
        return pointers

    def _main(self, scope: Scope) -> None:
        """Write the main program."""
        unit = scope.unit
        assert unit is not None
        self.out.line()
        name = at_file_scope(unit.spelling)
        shared: set[int] = set()
        emitter = self.procedures.routine(scope, self.out)
        emitter.routine.in_main = True
        if scope.procedures:
            self.out.line(f"namespace {name} {{")
            seen = {name for inner in scope.procedures for name in mentioned(inner.scope)}

            def wanted(symbol: Symbol) -> bool:
                inside = id(symbol) in self.main_captured or symbol.role == "constant"
                if inside:
                    shared.add(id(symbol))
                return inside

            del seen
            self._names(emitter, scope, wanted)
            self.out.line()
            self.procedures.declare(scope.procedures, self.out)
            self.procedures.virtual(scope, self.out)
            self.out.line()
        for comment in unit.comments:
            self.out.line(f"//{comment.rstrip(chr(92))}")
        self.out.open("int run()" if scope.procedures else "int main()")
        derived, scope.derived = scope.derived, ([] if scope.procedures else scope.derived)
        self.procedures.locals(emitter, scope, shared)
        scope.derived = derived
        self.procedures.body(emitter, unit)
        self.out.line("return 0;")
        self.out.close()
        self.procedures.prune(self.out)
        if scope.procedures:
            for procedure in scope.procedures:
                self.procedures.define(procedure, self.out)
            self.out.line()
            self.out.line(f"}}  // namespace {name}")
            self.out.line()
            self.out.line(f"int main() {{ return {name}::run(); }}")
