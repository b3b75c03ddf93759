"""Array expressions: element by element within loops, and as objects that library functions take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import intrinsics, tree
from transpile.parsers.fortran.constants import constant_bounds, fold
from transpile.parsers.fortran.symbols import Symbol, Type
from transpile.parsers.fortran.typing import called, defined_operator, meaning, symbol_of
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.axes import Axis, Index, is_number, subscript
from transpile.translators.fortran.code import Binding, Code
from transpile.translators.fortran.routine import Routine
from transpile.translators.fortran.types import plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class Elements:
    """Writes array expressions."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine: Routine = emitter.routine

    # -- axes ------------------------------------------------------------------------------------------------

    def axes(self, expression: tree.Expression) -> list[Axis]:
        """Return the dimensions that an expression runs along."""
        match expression:
            case tree.Parenthesized(inner=inner):
                return self.axes(inner)
            case tree.Name() | tree.Member():
                return self._whole(expression)
            case tree.Apply():
                return self._applied(expression)
            case tree.Unary(operand=operand):
                return self.axes(operand)
            case tree.Binary(left=left, right=right):
                return self.axes(left if self.routine.typed(left).rank else right)
            case _:
                pass
        held = self.held(expression)
        return self._object_axes(held.text, 1)

    def _object_axes(self, text: str, rank: int) -> list[Axis]:
        return [Axis("1", f"{text}.extent({d + 1})") for d in range(rank)]

    def _whole(self, expression: tree.Expression) -> list[Axis]:
        symbol = symbol_of(expression, self.routine.scope)
        assert symbol is not None
        if not symbol.rank and isinstance(expression, tree.Member):
            return self.axes(expression.base)
        text = self.emitter.expressions.whole(expression).within(Binding.PRIMARY)
        return [self.axis(symbol, text, d) for d in range(symbol.rank)]

    def axis(self, symbol: Symbol, text: str, d: int) -> Axis:
        """Return a dimension of a variable as a whole."""
        assert symbol.dimensions is not None
        lower = self.lower(symbol, text, d)
        bounds = symbol.dimensions[d]
        if symbol.shape == "size" and d == symbol.rank - 1:
            return Axis(lower, f"{text}.upper({d + 1})")
        low, high = constant_bounds(bounds, symbol.scope)
        if symbol.shape in ("explicit", "size") and high is not None and low is not None:
            upper = bounds.last if isinstance(bounds, tree.Range) else bounds
            assert upper is not None
            if symbol.scope is self.routine.scope:
                return Axis(lower, self.emitter.expressions.scalar(upper).text)
            return Axis(lower, str(high))
        # The lower bound of what has no elements is 1, whatever its declaration says.
        if symbol.shape in ("explicit", "size") and is_number(lower) and self._steady(bounds, symbol):
            upper = bounds.last if isinstance(bounds, tree.Range) else bounds
            assert upper is not None
            return Axis(lower, self.emitter.expressions.scalar(upper).text)
        return Axis(lower, f"{text}.upper({d + 1})")

    def _steady(self, bounds: tree.Expression, symbol: Symbol) -> bool:
        """Tell whether a bound is a dummy argument that keeps its value."""
        upper = bounds.last if isinstance(bounds, tree.Range) else bounds
        if not isinstance(upper, tree.Name) or symbol.scope is not self.routine.scope:
            return False
        found = self.routine.variable(upper.name, upper.line)
        return found.dummy and found.scope is symbol.scope and not self.routine.modified(found)

    def lower(self, symbol: Symbol, text: str, d: int) -> str:
        """Return the lower bound of a dimension of a variable."""
        assert symbol.dimensions is not None
        bounds = symbol.dimensions[d]
        if "associated" in symbol.attributes:
            return f"{text}.lower({d + 1})"
        if symbol.shape == "deferred":
            known = symbol.allocatable and not symbol.dummy and id(symbol) not in self.routine.usage.shifted
            return "1" if known else f"{text}.lower({d + 1})"
        if not isinstance(bounds, tree.Range) or bounds.first is None:
            return "1"
        constant = fold(bounds.first, symbol.scope)
        return str(constant) if constant is not None else f"{text}.lower({d + 1})"

    def _applied(self, expression: tree.Apply) -> list[Axis]:
        what = meaning(expression, self.routine.scope)
        if what == "section":
            return self._section_axes(expression)
        if what in ("substring",):
            return self.axes(expression.base)
        if what == "element":
            assert isinstance(expression.base, tree.Member)
            return self.axes(expression.base.base)
        if self.is_elemental(expression):
            first = next(item.value for item in expression.arguments if self.routine.typed(item.value).rank)
            return self.axes(first)
        held = self.held(expression)
        return self._object_axes(held.text, self.routine.typed(expression).rank)

    def _section_axes(self, expression: tree.Apply) -> list[Axis]:
        symbol = symbol_of(expression.base, self.routine.scope)
        assert symbol is not None
        text = self.emitter.expressions.whole(expression.base).within(Binding.PRIMARY)
        result = []
        for d, item in enumerate(expression.arguments):
            if isinstance(item.value, tree.Range):
                result.append(self._range(symbol, text, d, item.value))
            elif self.routine.typed(item.value).rank:
                extent = self.axes(item.value)[0].extent
                result.append(Axis("1", extent, vector=item.value))
        return result

    def _range(self, symbol: Symbol, text: str, d: int, item: tree.Range) -> Axis:
        """Return a section's axis: what is left out is a bound of the array, whichever way the step leads."""
        step = self.emitter.expressions.scalar(item.step).text if item.step is not None else "1"
        low = self._bound(item.first)
        high = self._bound(item.last)
        if low is None:
            low = self.lower(symbol, text, d)
        if high is None:
            high = self.axis(symbol, text, d).last
        return Axis(low, high, step)

    def _bound(self, expression: tree.Expression | None) -> str | None:
        """Return a bound of a section, evaluated beforehand where it is more than a sum of names."""
        if expression is None:
            return None
        known = self.routine.known(expression)
        if known is not None:
            return known.text
        code = self.emitter.expressions.scalar(expression)
        if all(letter.isalnum() or letter in "_ +-*" for letter in code.text):
            return code.text
        return self.routine.hoist(code, "bound", of=expression).text

    # -- elements --------------------------------------------------------------------------------------------

    def element(self, expression: tree.Expression, at: list[Index]) -> Code:
        """Return the element of an array expression at the indices of loops; scalars are the same for all."""
        if not self.routine.typed(expression).rank:
            return self.steady(expression)
        match expression:
            case tree.Parenthesized(inner=inner):
                return self.element(inner, at)
            case tree.Name():
                return self._whole_element(expression, at)
            case tree.Member():
                return self._member_element(expression, at)
            case tree.Unary(operator=operator, operand=operand):
                of = self.routine.typed(operand).type
                if operator in ("+", "-", ".not.") and of.base != "derived":
                    return self.emitter.expressions.unary(operator, self.element(operand, at), of)
                return self._defined(expression, (operand,), at)
            case tree.Binary(operator=operator, left=left, right=right):
                of, other = self.routine.typed(left).type, self.routine.typed(right).type
                defined = operator.startswith(".") and operator[1:-1] not in ("and", "or", "eqv", "neqv")
                if defined or "derived" in (of.base, other.base):
                    return self._defined(expression, (left, right), at)
                parts = self.element(left, at), self.element(right, at)
                return self.emitter.expressions.binary(operator, *parts, of, other, expression)
            case tree.Apply():
                return self._applied_element(expression, at)
            case _:
                pass
        held = self.held(expression)
        return Code(f"{held.text}({', '.join(subscript(Axis('1', ''), index) for index in at)})")

    def steady(self, expression: tree.Expression) -> Code:
        """Return a scalar that is used in a loop; it is evaluated before the loop where that may matter."""
        known = self.routine.known(expression)
        if known is not None:
            return known
        code = self.emitter.expressions.scalar(expression)
        if not any(
            isinstance(item, (tree.Apply, tree.Member)) or self._shared(item) for item in walk(expression)
        ):
            return code
        of = self.routine.typed(expression).type
        if of.base == "character":
            return self.routine.hoist(code, "text", declared="const std::string", of=expression)
        return self.routine.hoist(code, "value", of=expression)

    def _shared(self, item: object) -> bool:
        """Tell whether a variable may lie where an array that is being changed lies."""
        if not isinstance(item, tree.Name):
            return False
        symbol = self.routine.variable(item.name, item.line)
        return symbol.pointer or bool({"target", "associated"} & symbol.attributes)

    def _whole_element(self, expression: tree.Expression, at: list[Index]) -> Code:
        text = self.emitter.expressions.whole(expression).within(Binding.PRIMARY)
        symbol = symbol_of(expression, self.routine.scope)
        assert symbol is not None
        places = [subscript(Axis(self.lower(symbol, text, d), ""), at[d]) for d in range(symbol.rank)]
        return Code(f"{text}({', '.join(places)})")

    def _member_element(self, expression: tree.Member, at: list[Index]) -> Code:
        symbol = symbol_of(expression, self.routine.scope)
        assert symbol is not None
        if symbol.rank:
            return self._whole_element(expression, at)
        from transpile.translators.fortran.names import plain

        owner = self.element(expression.base, at)
        return Code(f"{owner.within(Binding.PRIMARY)}.{plain(symbol.spelling)}")

    def _applied_element(self, expression: tree.Apply, at: list[Index]) -> Code:
        what = meaning(expression, self.routine.scope)
        if what == "section":
            return self.section_element(expression, at)
        if what == "element":
            base = expression.base
            assert isinstance(base, tree.Member)
            from transpile.translators.fortran.names import plain

            symbol = symbol_of(base, self.routine.scope)
            assert symbol is not None
            owner = self.element(base.base, at)
            inner = ", ".join(self.steady(item.value).text for item in expression.arguments)
            return Code(f"{owner.within(Binding.PRIMARY)}.{plain(symbol.spelling)}({inner})")
        if what == "substring":
            return self._substring(expression, at)
        if self.is_elemental(expression):
            if what == "intrinsic":
                return self.emitter.intrinsics.elemental(expression, at)
            return self.emitter.calls.elemental(expression, at)
        held = self.held(expression)
        return Code(f"{held.text}({', '.join(subscript(Axis('1', ''), index) for index in at)})")

    def _substring(self, expression: tree.Apply, at: list[Index]) -> Code:
        bounds = expression.arguments[0].value
        if not isinstance(bounds, tree.Range):
            raise self.routine.refused("a substring without a range", expression.line)
        text = self.element(expression.base, at)
        first = self.steady(bounds.first).text if bounds.first is not None else "1"
        last = self.steady(bounds.last).text if bounds.last is not None else f"fortran::length({text.text})"
        return Code(f"{text.within(Binding.PRIMARY)}.substring({first}, {last})")

    def section_element(self, expression: tree.Apply, at: list[Index]) -> Code:
        """Return an element of a section."""
        text = self.emitter.expressions.whole(expression.base).within(Binding.PRIMARY)
        axes = iter(self._section_axes(expression))
        indices = iter(at)
        places = []
        for item in expression.arguments:
            if isinstance(item.value, tree.Range):
                places.append(subscript(next(axes), next(indices)))
            elif self.routine.typed(item.value).rank:
                axis, index = next(axes), next(indices)
                assert axis.vector is not None
                places.append(self.element(axis.vector, [index]).text)
            else:
                places.append(self.steady(item.value).text)
        return Code(f"{text}({', '.join(places)})")

    def _defined(
        self, expression: tree.Expression, operands: tuple[tree.Expression, ...], at: list[Index]
    ) -> Code:
        assert isinstance(expression, (tree.Unary, tree.Binary))
        procedure = defined_operator(expression.operator, operands, self.routine.scope, expression.line)
        if not procedure.elemental:
            held = self.held(expression)
            return Code(f"{held.text}({', '.join(subscript(Axis('1', ''), index) for index in at)})")
        arguments = tuple(tree.Argument(item) for item in operands)
        return self.emitter.calls.of(procedure, arguments, expression.line, at)

    def is_elemental(self, expression: tree.Apply) -> bool:
        """Tell whether a function is applied to arrays element by element."""
        what = meaning(expression, self.routine.scope)
        if what == "intrinsic":
            assert isinstance(expression.base, tree.Name)
            name = intrinsics.SPECIFIC.get(expression.base.name, (expression.base.name, ""))[0]
            return name in intrinsics.ELEMENTAL
        if what in ("call", "method"):
            procedure = called(expression, self.routine.scope)
            return not isinstance(procedure, Symbol) and procedure.elemental
        return False

    # -- objects ---------------------------------------------------------------------------------------------

    def held(self, expression: tree.Expression) -> Code:
        """Evaluate an array before the statement and return its name."""
        known = self.routine.known(expression)
        if known is not None:
            return known
        code = self.object(expression)
        if code.text.isidentifier():
            return code
        return self.routine.hoist(code, "array", of=expression)

    def object(self, expression: tree.Expression) -> Code:
        """Return an array expression as an object with extents and elements."""
        match expression:
            case tree.Parenthesized(inner=inner) if isinstance(inner, (tree.Name, tree.Member)):
                return Code(f"fortran::evaluated({self.object(inner).text})")
            case tree.Name() | tree.Member():
                symbol = symbol_of(expression, self.routine.scope)
                if symbol is not None and symbol.rank:
                    return self.emitter.expressions.whole(expression)
            case tree.ArrayConstructor():
                return self.emitter.constructors.array(expression)
            case tree.Apply():
                what = meaning(expression, self.routine.scope)
                if what == "section":
                    code = self.section(expression)
                    if code is not None:
                        return code
                elif what in ("call", "method") and not self.is_elemental(expression):
                    return self.emitter.calls.function(expression)
                elif what == "intrinsic" and not self.is_elemental(expression):
                    return self.emitter.intrinsics.array(expression)
            case tree.Binary() | tree.Unary():
                code = self._defined_object(expression)
                if code is not None:
                    return code
            case _:
                pass
        return self.lazy(expression)

    def _defined_object(self, expression: tree.Binary | tree.Unary) -> Code | None:
        operands = (
            (expression.left, expression.right)
            if isinstance(expression, tree.Binary)
            else (expression.operand,)
        )
        types = [self.routine.typed(item).type.base for item in operands]
        word = expression.operator
        plain_word = not word.startswith(".") or word[1:-1] in ("and", "or", "eqv", "neqv", "not")
        if plain_word and "derived" not in types:
            return None
        procedure = defined_operator(word, operands, self.routine.scope, expression.line)
        if procedure.elemental:
            return None
        return self.emitter.calls.of(
            procedure, tuple(tree.Argument(item) for item in operands), expression.line
        )

    def lazy(self, expression: tree.Expression) -> Code:
        """Return an expression as an object that computes its elements when they are asked for."""
        what = self.routine.typed(expression)
        if not what.rank:
            raise self.routine.refused("a scalar where an array must stand", expression.line)
        names = self.routine.indices(what.rank, expression)
        extents = [self.hoistable(axis.extent) for axis in self.axes(expression)]
        self.routine.active.extend(names)
        element = self.element(expression, [Index(name, "1") for name in names])
        del self.routine.active[-len(names) :]
        of = self.value_type(what.type, expression.line)
        indices = ", ".join(f"int {name}" for name in names)
        return Code(
            f"fortran::elements<{of}>({{{', '.join(extents)}}}, [&]({indices}) {{ return {element.text}; }})"
        )

    def hoistable(self, text: str) -> str:
        """Return an extent."""
        return text

    def value_type(self, of: Type, line: int) -> str:
        """Return the type of elements that are computed."""
        if of.base == "character" and fold(of.length, self.routine.scope) is None:
            return "std::string"
        return plain_type(of, self.routine.scope, line)

    def section(self, expression: tree.Apply) -> Code | None:
        """Return a section as a view; None where it has vector subscripts."""
        parts = []
        for item in expression.arguments:
            if isinstance(item.value, tree.Range):
                parts.append(self._range_object(item.value))
            elif self.routine.typed(item.value).rank:
                return None
            else:
                parts.append(self.emitter.expressions.scalar(item.value).text)
        text = self.emitter.expressions.whole(expression.base).within(Binding.PRIMARY)
        return Code(f"{text}.section({', '.join(parts)})")

    def _range_object(self, item: tree.Range) -> str:
        scalar = self.emitter.expressions.scalar
        first = scalar(item.first).text if item.first is not None else ""
        last = scalar(item.last).text if item.last is not None else ""
        step = f", {scalar(item.step).text}" if item.step is not None else ""
        if first and last:
            return f"fortran::Range({first}, {last}{step})"
        if first:
            return f"fortran::Range::from({first}{step})"
        if last:
            return f"fortran::Range::to({last}{step})"
        return f"fortran::Range::every({step[2:]})" if step else "fortran::Range()"
