"""Types that others extend: bound procedures become virtual functions, which call what is bound."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Derived, Procedure
from transpile.translators.fortran.families import bindings, bound_procedure
from transpile.translators.fortran.names import at_file_scope, plain
from transpile.translators.fortran.routine import Routine, internal_name
from transpile.translators.fortran.signatures import is_template, parameter, raw, result_type


class Virtual:
    """Writes the virtual functions of one type."""

    def __init__(self, derived: Derived, routine: Routine) -> None:
        self.derived = derived
        self.routine = routine
        self.name = plain(derived.spelling)

    def own(self) -> list[tuple[str, tree.Binding, Procedure]]:
        """Return the bindings that the type gives itself."""
        result = []
        for binding in self.derived.declaration.bindings:
            if binding.generic:
                continue
            procedure = bound_procedure(self.derived, binding)
            if procedure is None:
                raise self._refused(f"the bound procedure `{binding.name}` is not found")
            if is_template(procedure) or binding.passed is not None or "nopass" in binding.attributes:
                raise self._refused(f"the bound procedure `{binding.name}` of this interface")
            result.append((binding.name, binding, procedure))
        return result

    def _refused(self, detail: str) -> Exception:
        return self.derived.scope.refused(detail, self.derived.declaration.line)

    def members(self) -> Iterator[str]:
        """Yield the lines within the struct."""
        if self.derived.parent is None:
            yield f"virtual ~{self.name}() = default;"
        override = " override" if self.derived.parent is not None else ""
        virtual = "" if self.derived.parent is not None else "virtual "
        if self.is_abstract():
            yield f"{virtual}{self.name} *clone() const{override} = 0;"
        else:
            yield f"{virtual}{self.name} *clone() const{override} {{ return new {self.name}(*this); }}"
        inherited = bindings(self.derived.parent) if self.derived.parent is not None else {}
        for name, binding, procedure in self.own():
            head = self._head(name, procedure)
            over = name in inherited
            tail = " = 0" if "deferred" in binding.attributes else ""
            yield f"{'' if over else 'virtual '}{head}{' override' if over else ''}{tail};"

    def is_abstract(self) -> bool:
        """Tell whether there can be no object of the type itself."""
        return any("deferred" in binding.attributes for _, binding in bindings(self.derived).values())

    def _head(self, name: str, procedure: Procedure, owner: str = "") -> str:
        this, *rest = procedure.dummies
        parts = ", ".join(parameter(item, self.routine) for item in rest)
        constant = "" if self.routine.modified(this) else " const"
        return f"{result_type(procedure, self.routine)} {owner}{plain(name)}({parts}){constant}"

    def definitions(self) -> Iterator[str]:
        """Yield the definitions of the virtual functions, which call the procedures."""
        unit = self.derived.scope.unit
        assert unit is not None
        space = plain(unit.spelling) if unit.kind == "module" else at_file_scope(unit.spelling)
        for name, binding, procedure in self.own():
            if "deferred" in binding.attributes:
                continue
            given = ["*this"]
            for item in procedure.dummies[1:]:
                given.append(
                    f"{plain(item.spelling)}_data" if item.rank and raw(item) else plain(item.spelling)
                )
            head = self._head(name, procedure, f"{self.name}::")
            yield f"{head} {{ return {space}::{internal_name(procedure)}({', '.join(given)}); }}"
