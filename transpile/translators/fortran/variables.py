"""Declarations of variables, constants and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import constant_bounds, fold
from transpile.parsers.fortran.symbols import Scope, Symbol
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.data import initial_values
from transpile.translators.fortran.families import in_hierarchy
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.signatures import element_type, raw, stored_logical
from transpile.translators.fortran.types import holder, is_deferred, plain_type, zero

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter

_LARGE = 65536
_SIZES = {"logical": 1, "character": 1}


class Variables:
    """Writes declarations."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine
        self.result = ""

    def dimension(self, bounds: tree.Expression) -> str:
        """Return the bounds of one dimension as an argument."""
        scalar = self.emitter.expressions.scalar
        if isinstance(bounds, tree.Range):
            if bounds.last is None or isinstance(bounds.last, tree.Star):
                first = scalar(bounds.first).text if bounds.first is not None else "1"
                return f"fortran::Dimension({first}, {first})"
            last = scalar(bounds.last).text
            return (
                f"fortran::Dimension({scalar(bounds.first).text}, {last})"
                if bounds.first is not None
                else last
            )
        if isinstance(bounds, tree.Star):
            return "1"
        return scalar(bounds).text

    def has_constant_bounds(self, symbol: Symbol) -> bool:
        """Tell whether all bounds of an array are constants."""
        if symbol.dimensions is None or symbol.shape != "explicit":
            return False
        return all(None not in constant_bounds(item, symbol.scope) for item in symbol.dimensions)

    def _element(self, symbol: Symbol) -> str:
        """Return the type of an array variable's elements."""
        if self.routine.shared and symbol.type.base == "logical":
            return stored_logical(symbol)
        return plain_type(symbol.type, symbol.scope, symbol.line)

    def array_type(self, symbol: Symbol, *, large: bool = False) -> str:
        """Return the type of an array variable that holds its elements."""
        assert symbol.dimensions is not None
        element = self._element(symbol)
        if element == "fortran::String":
            raise self.routine.refused(
                f"the array `{symbol.name}` of texts of a length known at run time", symbol.line
            )
        if not self.has_constant_bounds(symbol) or large:
            return f"fortran::Array<{element}, {symbol.rank}>"
        if all(
            not isinstance(item, tree.Range) or fold(item.first or tree.Integer(0, 1), symbol.scope) == 1
            for item in symbol.dimensions
        ):
            extents = [item.last if isinstance(item, tree.Range) else item for item in symbol.dimensions]
            texts = [self._constant(item, symbol) for item in extents if item is not None]
            return f"fortran::FixedArray<{element}, {', '.join(texts)}>"
        texts = []
        for item in symbol.dimensions:
            low, high = (item.first, item.last) if isinstance(item, tree.Range) else (None, item)
            assert high is not None
            first = self._constant(low, symbol) if low is not None else "1"
            texts.append(f"fortran::Bounds<{first}, {self._constant(high, symbol)}>")
        return f"fortran::BoundedArray<{element}, {', '.join(texts)}>"

    def _constant(self, expression: tree.Expression, symbol: Symbol) -> str:
        """Return a constant as it is written where names in it are known here, else its value."""
        value = fold(expression, symbol.scope)
        simple = not any(isinstance(item, (tree.Apply, tree.Member)) for item in walk(expression))
        known = value is not None and value >= 0
        if simple and known and symbol.scope is self.routine.scope:
            code = self.emitter.expressions.scalar(expression)
            if all(letter.isalnum() or letter in "_ +-*:" for letter in code.text):
                return code.text
        return str(value)

    def bytes(self, symbol: Symbol) -> int:
        """Return how large an array of constant bounds is."""
        total = _SIZES.get(symbol.type.base, symbol.type.kind or 8)
        if symbol.type.base == "character":
            total = fold(symbol.type.length, symbol.scope) or 1
        for item in symbol.dimensions or ():
            low, high = constant_bounds(item, symbol.scope)
            total *= max((high or 0) - (low or 1) + 1, 0)
        return total

    # -- dummies ---------------------------------------------------------------------------------------------

    def prologue(self, symbols: list[Symbol]) -> list[str]:
        """Return the lines that make of parameters what the body calls by their names."""
        lines = []
        for symbol in symbols:
            name = plain(symbol.spelling)
            if symbol.role == "procedure":
                continue
            if symbol.allocatable and "intentout" in symbol.attributes:
                lines.append(f"{name}.deallocate();")
            elif symbol.type.base == "character" and not symbol.rank:
                lines += self._text_prologue(symbol, name)
            elif symbol.rank and raw(symbol):
                constant = "" if self.routine.modified(symbol) else "const "
                element = f"{constant}{element_type(symbol, self.routine)}"
                bounds = ", ".join(self.dimension(item) for item in symbol.dimensions or ())
                of = f"fortran::ContiguousView<{element}, {symbol.rank}>"
                lines.append(f"const {of} {name}({name}_data, {{{bounds}}});")
            elif symbol.rank and symbol.shape == "assumed":
                assert symbol.dimensions is not None
                lower = [item.first if isinstance(item, tree.Range) else None for item in symbol.dimensions]
                if any(item is not None and fold(item, symbol.scope) != 1 for item in lower):
                    texts = ", ".join(
                        self.emitter.expressions.scalar(item).text if item else "1" for item in lower
                    )
                    lines.append(f"{name}.start_at({{{texts}}});")
            if self._starts_anew(symbol):
                lines.append(self._renewed(symbol, name))
        return lines

    def _starts_anew(self, symbol: Symbol) -> bool:
        """Tell whether a dummy argument gets default values when its procedure begins."""
        derived = symbol.type.derived
        if derived is None or "intentout" not in symbol.attributes or symbol.allocatable or symbol.pointer:
            return False
        return any(
            item.initial is not None or item.allocatable or item.pointer for item in derived.all_components()
        )

    def _renewed(self, symbol: Symbol, name: str) -> str:
        of = plain_type(symbol.type, symbol.scope, symbol.line)
        if symbol.type.polymorphic and in_hierarchy(symbol.type.derived, self.routine.program):
            raise self.routine.refused(f"the polymorphic `{symbol.name}` with intent(out)", symbol.line)
        if symbol.rank:
            return f"fortran::for_each_index({name}, [&](auto... index) {{ {name}(index...) = {of}(); }});"
        if "optional" in symbol.attributes:
            return f"if ({name}.present()) *{name} = {of}();"
        return f"{name} = {of}();"

    def _text_prologue(self, symbol: Symbol, name: str) -> list[str]:
        length = symbol.type.length
        if symbol.allocatable or isinstance(length, (tree.Star, tree.Range)) or length is None:
            return []
        text = self.emitter.expressions.scalar(length).text
        if "optional" in symbol.attributes:
            return [f"const fortran::OptionalText {name} = {name}_text.first({text});"]
        if self.routine.modified(symbol):
            return [f"fortran::CharacterView {name} = {name}_text.first({text});"]
        return [f"const std::string_view {name} = fortran::substring({name}_text, 1, {text});"]

    # -- locals ----------------------------------------------------------------------------------------------

    def constant(self, symbol: Symbol) -> str:
        """Return the declaration of a constant."""
        name = plain(symbol.spelling)
        assert symbol.initial is not None
        if symbol.rank:
            of = self.array_type(symbol)
            return f"const {of} {name}{self._array_value(symbol, of)};"
        element = plain_type(symbol.type, symbol.scope, symbol.line)
        value = self.emitter.expressions.assigned(symbol.initial, symbol.type).text
        if symbol.type.base == "character":
            return f"const {element} {name} = {value};"
        simple = not any(isinstance(item, (tree.Apply, tree.Binary)) for item in walk(symbol.initial))
        folded = symbol.type.base == "integer" and fold(symbol.initial, symbol.scope) is not None
        word = (
            "constexpr"
            if (simple or folded) and symbol.type.base in ("integer", "real", "logical")
            else "const"
        )
        if folded and "::" in value and "fortran" in value:
            value = str(fold(symbol.initial, symbol.scope))
        return f"{word} {element} {name} = {value};"

    def _array_value(self, symbol: Symbol, of: str) -> str:
        """Return the initial value of an array, with what stands before it."""
        value = symbol.initial
        assert value is not None
        while isinstance(value, tree.Parenthesized):
            value = value.inner
        if (
            isinstance(value, tree.ArrayConstructor)
            and self.emitter.constructors.plain(value)
            and value.items
        ):
            return f" = {self.emitter.constructors.values(value, symbol.type)}"
        if not self.routine.typed(value).rank:
            code = self.emitter.expressions.converted(value, symbol.type).text
            return f" = fortran::filled<{of}>({code})"
        own = self.routine.typed(value).type
        if not own.same(symbol.type) and not {own.base, symbol.type.base} <= {"integer", "real"}:
            raise self.routine.refused(f"the initial value of `{symbol.name}` of another type", symbol.line)
        return f" = fortran::copied<{of}>({self.emitter.elements.object(value).text})"

    def variable(self, symbol: Symbol, *, static: str = "static ", at_namespace: bool = False) -> str:
        """Return the declaration of a variable with its initial value.

        Args:
            symbol: The variable.
            static: What stands before variables whose values last.
            at_namespace: Whether it stands in a namespace.
        """
        name = plain(symbol.spelling)
        lasting = static if self._lasts(symbol) and not at_namespace else ""
        data = initial_values(symbol, self.emitter)
        if symbol.rank:
            return self._array(symbol, name, lasting, data, at_namespace)
        if symbol.type.base == "character":
            return self._text(symbol, name, lasting, data)
        element = plain_type(symbol.type, symbol.scope, symbol.line)
        if "omp_lock_t" in self._lock(symbol):
            return f"omp_lock_t {name};"
        if symbol.pointer:
            return f"{lasting}{element} *{name} = nullptr;"
        if symbol.allocatable:
            return f"{lasting}{holder(symbol.type)}<{element}> {name};"
        if symbol.type.polymorphic:
            raise self.routine.refused(f"the polymorphic variable `{symbol.name}`", symbol.line)
        if data is not None:
            return f"{lasting}{element} {name} = {data};"
        if symbol.initial is not None:
            value = self.emitter.expressions.assigned(symbol.initial, symbol.type)
            return f"{lasting}{element} {name} = {value.text};"
        return f"{lasting}{element} {name}{zero(symbol.type)};"

    def _lock(self, symbol: Symbol) -> str:
        """Return the type of a lock of OpenMP, where a variable is one."""
        unit = symbol.scope.unit
        if unit is None or symbol.type.base != "integer":
            return ""
        for item in unit.declarations:
            if isinstance(item, tree.TypeDeclaration) and any(
                entity.name == symbol.name for entity in item.entities
            ):
                kind = item.type.kind
                if isinstance(kind, tree.Name) and kind.name == "omp_lock_kind":
                    return "omp_lock_t"
                if isinstance(kind, tree.Name) and kind.name == "omp_nest_lock_kind":
                    raise self.routine.refused("a nested lock", symbol.line)
        return ""

    def _lasts(self, symbol: Symbol) -> bool:
        """Tell whether a local variable keeps its value between calls."""
        if self.routine.in_main:
            return False
        return "save" in symbol.attributes or symbol.scope.saved or symbol.initial is not None

    def _array(self, symbol: Symbol, name: str, lasting: str, data: str | None, at_namespace: bool) -> str:
        element = self._element(symbol)
        if symbol.type.polymorphic and in_hierarchy(symbol.type.derived, self.routine.program):
            raise self.routine.refused(f"the array `{symbol.name}` of polymorphic elements", symbol.line)
        if symbol.pointer:
            return f"{lasting}fortran::View<{element}, {symbol.rank}> {name};"
        if symbol.allocatable:
            return f"{lasting}fortran::Array<{element}, {symbol.rank}> {name};"
        if symbol.shape != "explicit":
            raise self.routine.refused(f"the array `{symbol.name}` of unknown bounds", symbol.line)
        constant = self.has_constant_bounds(symbol)
        large = constant and self.bytes(symbol) > _LARGE
        if large and (self.routine.in_main or at_namespace):
            lasting = "" if at_namespace else "static "
            large = False
        if large and lasting:
            large = False
        of = self.array_type(symbol, large=large)
        if constant and not large:
            if data is not None:
                return f"{lasting}{of} {name} = {data};"
            if symbol.initial is not None:
                return f"{lasting}{of} {name}{self._array_value(symbol, of)};"
            return f"{lasting}{of} {name};"
        if symbol.initial is not None or data is not None:
            raise self.routine.refused(f"the initial value of `{symbol.name}`", symbol.line)
        bounds = ", ".join(self.dimension(item) for item in symbol.dimensions or ())
        return f"{lasting}{of} {name}({bounds});"

    def _text(self, symbol: Symbol, name: str, lasting: str, data: str | None) -> str:
        if symbol.pointer:
            raise self.routine.refused(f"the character pointer `{symbol.name}`", symbol.line)
        if symbol.allocatable or is_deferred(symbol.type):
            if symbol.allocatable and not is_deferred(symbol.type):
                raise self.routine.refused(
                    f"the allocatable text `{symbol.name}` of fixed length", symbol.line
                )
            return f"{lasting}fortran::String {name};"
        of = plain_type(symbol.type, symbol.scope, symbol.line)
        if of == "fortran::String":
            assert symbol.type.length is not None
            length = self.emitter.expressions.scalar(symbol.type.length)
            return f"{lasting}fortran::String {name}({length.text});"
        if data is not None:
            return f"{lasting}{of} {name} = {data};"
        if symbol.initial is not None:
            return f"{lasting}{of} {name} = {self.emitter.expressions.scalar(symbol.initial).text};"
        return f"{lasting}{of} {name};"

    def procedure_pointer(self, symbol: Symbol) -> str:
        """Return the declaration of a pointer to procedures."""
        if symbol.procedure is None:
            raise self.routine.refused(
                f"the procedure pointer `{symbol.name}` without an interface", symbol.line
            )
        from transpile.translators.fortran.signatures import is_template, parameter, result_type

        if is_template(symbol.procedure) or any(
            "optional" in item.attributes for item in symbol.procedure.dummies
        ):
            raise self.routine.refused(
                f"the procedure pointer `{symbol.name}` of this interface", symbol.line
            )
        parts = ", ".join(parameter(item, self.routine) for item in symbol.procedure.dummies)
        of = result_type(symbol.procedure, self.routine)
        return f"{of} (*{plain(symbol.spelling)})({parts}) = nullptr;"

    def declare_block(self, scope: Scope, statement: tree.Block) -> None:
        """Write the declarations of a block."""
        del statement
        for symbol in scope.symbols.values():
            if symbol.role == "constant":
                self.routine.out.line(self.constant(symbol))
            elif symbol.role == "variable":
                self.routine.out.line(self.variable(symbol))
        self.routine.pre.clear()

    # -- results ---------------------------------------------------------------------------------------------

    def return_statement(self) -> str:
        """Return the statement that ends this routine."""
        procedure = self.routine.procedure
        if procedure is None:
            return "return 0;"
        if procedure.result is None:
            return "return;"
        if (
            procedure.result.type.base == "character"
            and plain_type(procedure.result.type, procedure.scope, 0) == "fortran::String"
        ):
            return f"return std::string({self.result});"
        if (
            procedure.result.allocatable
            and not procedure.result.rank
            and procedure.result.type.base != "character"
        ):
            return f"return *{self.result};"
        return f"return {self.result};"

    def captured_parameter(self, symbol: Symbol) -> str:
        """Return the parameter by which an internal procedure gets a variable of its host."""
        name = plain(symbol.spelling)
        if symbol.dummy and symbol.role == "variable":
            if symbol.rank and raw(symbol):
                constant = "" if self.routine.modified(symbol) else "const "
                element = f"{constant}{element_type(symbol, self.routine)}"
                return f"const fortran::ContiguousView<{element}, {symbol.rank}> &{name}"
            from transpile.translators.fortran.signatures import parameter

            return parameter(symbol, self.routine)
        if symbol.rank:
            element = self._element(symbol)
            if symbol.pointer:
                return f"fortran::View<{element}, {symbol.rank}> &{name}"
            if symbol.allocatable:
                return f"fortran::Array<{element}, {symbol.rank}> &{name}"
            large = self.has_constant_bounds(symbol) and self.bytes(symbol) > _LARGE
            return f"{self.array_type(symbol, large=large and not self._lasts(symbol))} &{name}"
        element = plain_type(symbol.type, symbol.scope, symbol.line)
        if symbol.type.base == "character":
            return f"{element} &{name}"
        if symbol.pointer:
            return f"{element} *&{name}"
        return f"{element} &{name}"
