"""Scalar expressions of Fortran as expressions of C++."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.operators import RELATIONAL
from transpile.parsers.fortran.symbols import Symbol, Type
from transpile.parsers.fortran.typing import arithmetic, defined_operator, meaning, symbol_of
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.code import Binding, Code, call, join
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.routine import Routine
from transpile.translators.fortran.types import plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter

_COMPARISONS = {"/=": "!="}
_LARGEST = 2**31 - 1


class Expressions:
    """Writes scalar expressions."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine: Routine = emitter.routine

    def scalar(self, expression: tree.Expression) -> Code:
        """Return an expression of rank 0.

        Raises:
            Refused: Where it has no translation.
        """
        known = self.routine.known(expression)
        if known is not None:
            return known
        match expression:
            case tree.Integer():
                return self._integer(expression)
            case tree.Real(text=text):
                return Code(real_literal(text, self.routine.typed(expression).type.kind))
            case tree.Logical(value=value):
                return Code("true" if value else "false")
            case tree.String(value=value):
                return Code(quoted(value))
            case tree.Bits(value=value):
                return Code(f"0x{value:X}")
            case tree.Complex(real=real, imaginary=imaginary):
                of = self.routine.typed(expression).type
                part = Type("real", of.kind)
                parts = [self.converted(item, part).text for item in (real, imaginary)]
                return Code(f"{plain_type(of, self.routine.scope, expression.line)}({', '.join(parts)})")
            case tree.Parenthesized(inner=inner):
                return self.scalar(inner)
            case tree.Name() | tree.Member():
                return self.reference(expression)
            case tree.Apply():
                return self._apply(expression)
            case tree.Unary():
                return self._unary(expression)
            case tree.Binary():
                return self._binary(expression)
            case _:
                pass
        raise self.routine.refused(f"`{type(expression).__name__}` as a value", expression.line)

    def reference(self, expression: tree.Expression) -> Code:
        """Return a variable or a component as something that has an address."""
        match expression:
            case tree.Name(name=name, line=line):
                symbol = self.routine.variable(name, line)
                if symbol.role == "procedure":
                    raise self.routine.refused(f"the procedure `{name}` as a value", line)
                code = self.routine.name(symbol)
                return self._through(code, symbol)
            case tree.Member(base=base, name=name, line=line):
                owner = self.routine.typed(base).type
                if owner.base == "complex":
                    raise self.routine.refused("a part of a complex number by `%`", line)
                if owner.derived is not None and owner.derived.component(name) is None:
                    return self.scalar(base)
                component = symbol_of(expression, self.routine.scope)
                assert component is not None
                return self._through(self.member(base, component), component)
            case tree.Apply():
                return self._apply(expression)
            case tree.Parenthesized(inner=inner):
                return self.scalar(inner)
            case _:
                pass
        raise self.routine.refused("an expression where a variable must stand", expression.line)

    def member(self, base: tree.Expression, symbol: Symbol) -> Code:
        """Return a component of what a base refers to."""
        owner = self.scalar(base)
        if owner.text.startswith("*") and owner.binding == Binding.UNARY:
            return Code(f"{owner.text[1:]}->{plain(symbol.spelling)}")
        return Code(f"{owner.within(Binding.PRIMARY)}.{plain(symbol.spelling)}")

    def whole(self, expression: tree.Expression) -> Code:
        """Return an array variable, a pointer or an optional argument itself, not what it holds."""
        match expression:
            case tree.Name(name=name, line=line):
                return self.routine.name(self.routine.variable(name, line))
            case tree.Member(base=base):
                symbol = symbol_of(expression, self.routine.scope)
                assert symbol is not None
                return self.member(base, symbol)
            case _:
                pass
        raise self.routine.refused("an expression where a variable must stand", expression.line)

    def converted(self, expression: tree.Expression, to: Type) -> Code:
        """Return a scalar as a value of a type, for a place where C++ does not convert."""
        return self.cast(self.scalar(expression), self.routine.typed(expression).type, to, expression.line)

    def cast(self, code: Code, of: Type, to: Type, line: int) -> Code:
        """Return code of one type as a value of another."""
        if of.same(to) or to.base in ("character", "derived", "none", "procedure"):
            return code
        if of.base in ("logical", "character", "derived") or to.base in ("logical", "bits"):
            if of.base == to.base == "logical":
                return code
            raise self.routine.refused(f"a value of type {of.base} where {to.base} must stand", line)
        if to.base == "complex":
            if of.base == "complex":
                return call(plain_type(to, self.routine.scope, line), code.text)
            part = Type("real", to.kind)
            return call(plain_type(to, self.routine.scope, line), self.cast(code, of, part, line).text)
        if of.base == "complex":
            return self.cast(Code(f"{code.within(Binding.PRIMARY)}.real()"), Type("real", of.kind), to, line)
        if code.text.isdigit() and to.base == "real":
            return Code(real_literal(code.text + ".0", to.kind))
        if code.text.isdigit() and to.base == "integer" and to.kind == 4:
            return code
        return Code(f"static_cast<{plain_type(to, self.routine.scope, line)}>({code.text})")

    def assigned(self, expression: tree.Expression, to: Type) -> Code:
        """Return a scalar for a place that has a type, where C++ converts what loses nothing."""
        return self.settled(self.scalar(expression), self.routine.typed(expression).type, to, expression.line)

    def settled(self, code: Code, of: Type, to: Type, line: int) -> Code:
        """Return code for a place of a type; what C++ converts by itself, as Fortran does, stays as it is."""
        widens = (of.base == "integer" and to.base == "real") or (
            of.base == to.base == "real" and of.kind < to.kind
        )
        if widens and not code.text.isdigit():
            return code
        return self.cast(code, of, to, line)

    def _integer(self, expression: tree.Integer) -> Code:
        kind = self.routine.typed(expression).type.kind
        if kind == 8:
            return Code(f"std::int64_t{{{expression.value}}}")
        if expression.value > _LARGEST:
            raise self.routine.refused(f"the integer {expression.value} of kind {kind}", expression.line)
        if kind in (1, 2):
            return Code(f"static_cast<std::int{kind * 8}_t>({expression.value})")
        return Code(str(expression.value))

    def _through(self, code: Code, symbol: Symbol) -> Code:
        """Return what a pointer or an optional argument refers to."""
        scalar = not symbol.rank
        if scalar and symbol.pointer and id(symbol) not in self.routine.names:
            return Code(f"*{code.text}", Binding.UNARY)
        if scalar and symbol.dummy and "optional" in symbol.attributes and symbol.type.base != "character":
            return Code(f"*{code.text}", Binding.UNARY)
        if scalar and symbol.allocatable and symbol.type.base != "character":
            return Code(f"*{code.text}", Binding.UNARY)
        return code

    def _apply(self, expression: tree.Apply) -> Code:
        what = meaning(expression, self.routine.scope)
        if what == "element":
            return self.element(expression.base, [self.scalar(item.value) for item in expression.arguments])
        if what == "substring":
            return self.substring(expression)
        if what == "intrinsic":
            return self.emitter.intrinsics.scalar(expression)
        if what == "constructor":
            return self.emitter.calls.structure(expression)
        if what == "section":
            raise self.routine.refused("an array section as a scalar", expression.line)
        return self.emitter.calls.function(expression)

    def element(self, base: tree.Expression, subscripts: list[Code]) -> Code:
        """Return an element of an array."""
        owner = self.whole(base)
        return Code(f"{owner.within(Binding.PRIMARY)}({', '.join(item.text for item in subscripts)})")

    def substring(self, expression: tree.Apply) -> Code:
        """Return some of the characters of a text."""
        if len(expression.arguments) != 1 or not isinstance(expression.arguments[0].value, tree.Range):
            raise self.routine.refused("a substring without a range", expression.line)
        bounds = expression.arguments[0].value
        text = self.scalar(expression.base)
        first = self.scalar(bounds.first).text if bounds.first is not None else "1"
        last = self.scalar(bounds.last).text if bounds.last is not None else f"fortran::length({text.text})"
        if self.is_view(expression.base):
            return call("fortran::substring", text.text, first, last)
        return Code(f"{text.within(Binding.PRIMARY)}.substring({first}, {last})")

    def is_view(self, expression: tree.Expression) -> bool:
        """Tell whether characters are held by something that cannot be changed."""
        if isinstance(expression, tree.Name):
            symbol = self.routine.variable(expression.name, expression.line)
            if symbol.role == "constant":
                return True
            return symbol.dummy and not symbol.rank and not self.routine.modified(symbol)
        return not isinstance(expression, (tree.Member, tree.Apply))

    def _unary(self, expression: tree.Unary) -> Code:
        of = self.routine.typed(expression.operand).type
        if expression.operator not in ("+", "-", ".not.") or of.base == "derived":
            procedure = defined_operator(
                expression.operator, (expression.operand,), self.routine.scope, expression.line
            )
            return self.emitter.calls.of(procedure, (tree.Argument(expression.operand),), expression.line)
        return self.unary(expression.operator, self.scalar(expression.operand), of)

    def unary(self, operator: str, operand: Code, of: Type) -> Code:
        """Return an operation on one operand."""
        if operator == "+":
            return operand
        text = operand.within(Binding.UNARY)
        if operator == ".not.":
            return Code(f"!{text}", Binding.UNARY)
        if text.startswith(("-", "+")):
            text = f"({text})"
        code = Code(f"-{text}", Binding.UNARY)
        return self._narrow(code, of)

    def _narrow(self, code: Code, of: Type) -> Code:
        """Return arithmetic of small integers, which C++ does with int, as a small integer again."""
        if of.base == "integer" and of.kind in (1, 2):
            return Code(f"static_cast<std::int{of.kind * 8}_t>({code.text})")
        return code

    def _binary(self, expression: tree.Binary) -> Code:
        left, right = (self.routine.typed(item).type for item in (expression.left, expression.right))
        operator = expression.operator
        if (operator.startswith(".") and operator[1:-1] not in ("and", "or", "eqv", "neqv")) or "derived" in (
            left.base,
            right.base,
        ):
            operands = (expression.left, expression.right)
            procedure = defined_operator(operator, operands, self.routine.scope, expression.line)
            arguments = tuple(tree.Argument(item) for item in operands)
            return self.emitter.calls.of(procedure, arguments, expression.line)
        first = self.scalar(expression.left)
        if operator not in (".and.", ".or.") and self.in_order((expression.left, expression.right)):
            first = self.kept(expression.left, first)
        return self.binary(operator, first, self.scalar(expression.right), left, right, expression)

    def in_order(self, operands: Sequence[tree.Expression]) -> bool:
        """Tell whether operands must be evaluated one after the other, which C++ does not promise."""
        several = sum(1 for item in operands if any(isinstance(part, tree.Apply) for part in walk(item))) > 1
        return several and sum(1 for item in operands if self.routine.has_effects(item)) > 1

    def kept(self, expression: tree.Expression, code: Code) -> Code:
        """Evaluate a scalar before the statement, where it calls functions with effects."""
        if not self.routine.has_effects(expression):
            return code
        text = self.routine.typed(expression).type.base == "character"
        declared = "const std::string" if text else "const auto"
        return self.routine.hoist(code, "value", declared=declared, of=expression)

    def binary(
        self, operator: str, left: Code, right: Code, of: Type, other: Type, expression: tree.Binary
    ) -> Code:
        """Return an operation on two operands of intrinsic types."""
        line = expression.line
        if operator == "//":
            return call("fortran::concatenate", left.text, right.text)
        if operator in (".and.", ".or."):
            word, binding = ("&&", Binding.AND) if operator == ".and." else ("||", Binding.OR)
            parts = [
                Code(item.text, Binding.COMMA)
                if binding == Binding.OR and item.binding == Binding.AND
                else item
                for item in (left, right)
            ]
            return Code(f"{parts[0].within(binding)} {word} {parts[1].within(binding)}", binding)
        if operator in (".eqv.", ".neqv."):
            word = "==" if operator == ".eqv." else "!="
            return Code(f"{left.within(Binding.SHIFT)} {word} {right.within(Binding.SHIFT)}", Binding.EQUAL)
        if operator in RELATIONAL:
            return self._relation(operator, left, right, of, other, line)
        result = arithmetic(of, other, self.routine.scope, line)
        if operator == "**":
            return self._power(left, right, of, other, result, expression)
        if result.base == "complex":
            return self._complex(operator, left, right, of, other, result, line)
        binding = Binding.ADD if operator in "+-" else Binding.TIMES
        return self._narrow(join(left, operator, right, binding), result)

    def _complex(
        self, operator: str, left: Code, right: Code, of: Type, other: Type, result: Type, line: int
    ) -> Code:
        left, right = self.cast(left, of, result, line), self.cast(right, other, result, line)
        if operator in "+-":
            return join(left, operator, right, Binding.ADD)
        return call("fortran::multiply" if operator == "*" else "fortran::divide", left.text, right.text)

    def _relation(self, operator: str, left: Code, right: Code, of: Type, other: Type, line: int) -> Code:
        word = _COMPARISONS.get(operator, operator)
        binding = Binding.EQUAL if word in ("==", "!=") else Binding.LESS
        if of.base == "character":
            return Code(f"fortran::compare({left.text}, {right.text}) {word} 0", binding)
        if "logical" in (of.base, other.base):
            raise self.routine.refused("a comparison of logical values", line)
        if "complex" in (of.base, other.base):
            common = arithmetic(of, other, self.routine.scope, line)
            left, right = self.cast(left, of, common, line), self.cast(right, other, common, line)
        return Code(f"{left.within(Binding.SHIFT)} {word} {right.within(Binding.SHIFT)}", binding)

    def _power(
        self, left: Code, right: Code, of: Type, other: Type, result: Type, expression: tree.Binary
    ) -> Code:
        line = expression.line
        if other.base == "integer":
            if of.base == "integer":
                base = self.cast(left, of, result, line)
                name = plain_type(result, self.routine.scope, line)
                return call(f"fortran::integer_power<{name}>", base.text, right.text)
            if right.text == "2" and of.base == "real" and _simple(left.text):
                return Code(f"{left.text} * {left.text}", Binding.TIMES)
            if of.base == "complex" and right.text in _EXPANDED:
                return call(_EXPANDED[right.text], left.text)
            return call("fortran::power", left.text, self.cast(right, other, Type("integer", 4), line).text)
        if result.base == "complex" or of.base != result.base or of.kind != other.kind:
            left, right = self.cast(left, of, result, line), self.cast(right, other, result, line)
        return call("std::pow", left.text, right.text)


_EXPANDED = {"2": "fortran::square", "-1": "fortran::reciprocal"}
"""Constant powers of complex numbers that gfortran computes by one operation."""


def _simple(text: str) -> bool:
    return all(letter.isalnum() or letter in "_(), ." for letter in text) and text.count("(") <= 1


def real_literal(text: str, kind: int) -> str:
    """Return a real literal of C++."""
    digits, mark, power = text.partition("e")
    if "." not in digits:
        digits += ".0"
    whole, _, fraction = digits.partition(".")
    scale = f"{mark}{power.removeprefix('+')}" if power.strip("+-0") else ""
    body = f"{whole or '0'}.{fraction or '0'}{scale}"
    return body + ("f" if kind == 4 else "")


def quoted(value: str) -> str:
    """Return a string literal of C++."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?").replace("\t", "\\t")
    return f'"{escaped}"'
