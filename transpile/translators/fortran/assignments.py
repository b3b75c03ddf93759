"""Assignments: of scalars, of whole arrays as loops, under masks, of pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Symbol, Type
from transpile.parsers.fortran.typing import called, meaning, symbol_of
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.alike import same_place
from transpile.translators.fortran.axes import Axis, Index
from transpile.translators.fortran.code import Binding, Code
from transpile.translators.fortran.types import is_deferred, plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class Assignments:
    """Writes assignments."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine

    def assign(self, target: tree.Expression, value: tree.Expression, line: int) -> list[str]:
        """Return the lines of an assignment.

        Raises:
            Refused: Where it cannot be translated.
        """
        left, right = self.routine.typed(target), self.routine.typed(value)
        defined = self._defined(target, value, line)
        if defined is not None:
            return [defined]
        if not left.rank:
            if right.rank:
                raise self.routine.refused("an array is assigned to a scalar", line)
            return [self._scalar(target, value, left.type)]
        return self._array(target, value, line)

    def _defined(self, target: tree.Expression, value: tree.Expression, line: int) -> str | None:
        """Return the call of a subroutine that defines this assignment, if there is one."""
        symbol = self.routine.scope.find("assignment(=)")
        if symbol is None or "derived" not in (
            self.routine.typed(target).type.base,
            self.routine.typed(value).type.base,
        ):
            return None
        from transpile.parsers.fortran.errors import Refused
        from transpile.parsers.fortran.symbols import Procedure
        from transpile.parsers.fortran.typing import specific

        arguments = (tree.Argument(target), tree.Argument(value))
        try:
            procedure = specific(symbol, arguments, self.routine.scope, line)
        except Refused:
            return None
        assert isinstance(procedure, Procedure)
        return self.emitter.calls.of(procedure, arguments, line).text + ";"

    def _scalar(self, target: tree.Expression, value: tree.Expression, of: Type) -> str:
        if of.base == "character":
            return self._text(target, value)
        symbol = symbol_of(target, self.routine.scope)
        if (
            symbol is not None
            and symbol.allocatable
            and not symbol.rank
            and isinstance(target, (tree.Name, tree.Member))
        ):
            whole = self.emitter.expressions.whole(target)
            return f"{whole.text} = {self.emitter.expressions.assigned(value, of).text};"
        if isinstance(target, tree.Apply) and self.emitter.expressions.in_order((target, value)):
            for item in target.arguments:
                self.emitter.expressions.kept(item.value, self.emitter.expressions.scalar(item.value))
        left = self.emitter.expressions.reference(target)
        right = self.emitter.expressions.assigned(value, of)
        return f"{left.text} = {right.text};"

    def _text(self, target: tree.Expression, value: tree.Expression) -> str:
        left = self.emitter.expressions.scalar(target)
        right = self.emitter.expressions.scalar(value)
        symbol = symbol_of(target, self.routine.scope)
        whole = isinstance(target, (tree.Name, tree.Member))
        if whole and symbol is not None and (symbol.allocatable or is_deferred(symbol.type)):
            return f"{left.within(Binding.PRIMARY)}.assign({right.text});"
        return f"{left.text} = {right.text};"

    # -- arrays ----------------------------------------------------------------------------------------------

    def _array(self, target: tree.Expression, value: tree.Expression, line: int) -> list[str]:
        symbol = symbol_of(target, self.routine.scope)
        if symbol is None:
            raise self.routine.refused("a part of complex numbers by `%`", line)
        whole = isinstance(target, (tree.Name, tree.Member)) and bool(symbol.rank)
        rank = self.routine.typed(value).rank
        if symbol.type.base == "character" and symbol.allocatable and is_deferred(symbol.type):
            raise self.routine.refused("an array of texts of deferred length", line)
        if whole and symbol.allocatable and rank:
            return self._allocating(target, value, symbol)
        if whole and not rank and self._owns(symbol):
            text = self.emitter.expressions.whole(target).within(Binding.PRIMARY)
            return [f"{text}.fill({self._element_value(value, symbol.type, line)});"]
        listed = self._listed(target, value, symbol, whole)
        if listed is not None:
            return [listed]
        return self.loop(target, value, line)

    def _element_value(self, value: tree.Expression, of: Type, line: int) -> str:
        code = self.emitter.expressions.converted(value, of)
        if of.base == "complex" and not code.text.startswith("std::complex"):
            return code.text
        return code.text

    def _owns(self, symbol: Symbol) -> bool:
        """Tell whether a variable holds its elements itself."""
        if symbol.dummy and not symbol.allocatable:
            return False
        if "associated" in symbol.attributes:
            return False
        return not symbol.pointer and symbol.type.base != "derived"

    def _listed(
        self, target: tree.Expression, value: tree.Expression, symbol: Symbol, whole: bool
    ) -> str | None:
        """Return the assignment of a list of values to an array of constant bounds."""
        if (
            not isinstance(value, tree.ArrayConstructor)
            or not whole
            or not self.emitter.constructors.plain(value)
        ):
            return None
        if (
            symbol.rank != 1
            or not self.emitter.variables.has_constant_bounds(symbol)
            or not self._owns(symbol)
        ):
            return None
        if self.mentions(value, symbol) or symbol.type.base == "character":
            return None
        text = self.emitter.expressions.whole(target).text
        return f"{text} = {self.emitter.constructors.values(value, symbol.type)};"

    def _allocating(self, target: tree.Expression, value: tree.Expression, symbol: Symbol) -> list[str]:
        """Return the assignment to an allocatable array, which takes the shape of the value."""
        text = self.emitter.expressions.whole(target).text
        own = self.routine.typed(value).type
        objects = (tree.ArrayConstructor, tree.Name, tree.Member)
        simple = isinstance(value, objects) or (
            isinstance(value, tree.Apply) and not self.emitter.elements.is_elemental(value)
        )
        if (
            isinstance(value, tree.ArrayConstructor)
            and self.emitter.constructors.plain(value)
            and value.items
        ):
            element = plain_type(symbol.type, self.routine.scope, target.line)
            values = self.emitter.constructors.values(value, symbol.type)
            return [f"fortran::assign({text}, fortran::FixedArray<{element}, {len(value.items)}>{values});"]
        if simple and own.same(symbol.type):
            return [f"fortran::assign({text}, {self.emitter.elements.object(value).text});"]
        if self.mentions(value, symbol) or not self._elementwise(value):
            names = self.routine.indices(symbol.rank, value)
            extents = ", ".join(axis.extent for axis in self.emitter.elements.axes(value))
            element = self._at(value, [Index(name, "1") for name in names], symbol.type)
            of = self.emitter.elements.value_type(symbol.type, target.line)
            indices = ", ".join(f"int {name}" for name in names)
            return [
                f"fortran::assign({text}, fortran::elements<{of}>({{{extents}}},"
                f" [&]({indices}) {{ return {element}; }}));"
            ]
        extents = ", ".join(axis.extent for axis in self.emitter.elements.axes(value))
        self.routine.pre.append(f"fortran::conform({text}, {extents});")
        return self.loop(target, value, target.line)

    def _at(self, value: tree.Expression, at: list[Index], of: Type) -> str:
        self.routine.active.extend(index.name for index in at)
        code = self.emitter.elements.element(value, at)
        del self.routine.active[-len(at) :]
        own = self.routine.typed(value).type
        return self.emitter.expressions.cast(code, own, of, value.line).text

    def _elementwise(self, value: tree.Expression) -> bool:
        """Tell whether elements can be computed one by one."""
        return not any(isinstance(item, tree.ArrayConstructor) for item in walk(value))

    def loop(
        self,
        target: tree.Expression,
        value: tree.Expression,
        line: int,
        mask: Code | None = None,
    ) -> list[str]:
        """Return the loops that assign element by element; old values are kept where they are needed."""
        symbol = symbol_of(target, self.routine.scope)
        assert symbol is not None
        rank = self.routine.typed(target).rank
        if self.routine.typed(value).rank not in (0, rank):
            raise self.routine.refused("an assignment of arrays of different rank", line)
        axes = self.emitter.elements.axes(target)
        names = self.routine.indices(rank, target, value)
        at = [
            Index(name, axis.start if axis.step == "1" and axis.vector is None else "1")
            for name, axis in zip(names, axes, strict=True)
        ]
        if self._needs_copy(target, value, symbol):
            if mask is not None and self._may_fail(value):
                raise self.routine.refused("a masked assignment that divides what it changes", line)
            held = self.routine.fresh("values")
            text = self.emitter.elements.object(value).text
            self.routine.pre.append(f"const auto {held} = fortran::evaluated({text});")
            one = [Index(index.name, index.start) for index in at]
            from transpile.translators.fortran.axes import subscript

            places = ", ".join(subscript(Axis("1", ""), index) for index in one)
            element = Code(f"{held}({places})")
            own = self.routine.typed(value).type
            right = self.emitter.expressions.settled(
                element, own, symbol_type(target, self.routine), line
            ).text
        else:
            self.routine.active.extend(names)
            element = self.emitter.elements.element(value, at)
            del self.routine.active[-len(names) :]
            own = self.routine.typed(value).type
            right = self.emitter.expressions.settled(
                element, own, symbol_type(target, self.routine), line
            ).text
        self.routine.active.extend(names)
        left = self.emitter.elements.element(target, at).text
        del self.routine.active[-len(names) :]
        body = f"{left} = {right};"
        if mask is not None:
            places = ", ".join(_position(index) for index in at)
            body = f"if ({mask.text}({places})) {body}"
        return nest(names, axes, body)

    def _may_fail(self, value: tree.Expression) -> bool:
        """Tell whether elements that a mask leaves out may divide by zero, and must not be computed."""
        for item in walk(value):
            if isinstance(item, tree.Binary) and item.operator == "/":
                if self.routine.typed(item).type.base == "integer":
                    return True
            elif isinstance(item, tree.Name) and item.name in ("mod", "modulo"):
                return True
        return False

    def _needs_copy(self, target: tree.Expression, value: tree.Expression, symbol: Symbol) -> bool:
        """Tell whether elements of the target may be read after they were changed."""
        if not self.routine.typed(value).rank:
            return False
        if isinstance(target, tree.Apply) and any(
            self.routine.typed(item.value).rank and not isinstance(item.value, tree.Range)
            for item in target.arguments
        ):
            return self.mentions(value, symbol)
        return not self._safe(value, target, symbol)

    def _safe(self, value: tree.Expression, target: tree.Expression, symbol: Symbol) -> bool:
        """Tell whether an expression reads the target only at the very element that is being assigned."""
        if not self.routine.typed(value).rank:
            return True
        match value:
            case tree.Parenthesized(inner=inner):
                return self._safe(inner, target, symbol)
            case tree.Unary(operand=operand):
                return self._safe(operand, target, symbol)
            case tree.Binary(left=left, right=right):
                return self._safe(left, target, symbol) and self._safe(right, target, symbol)
            case tree.Name() | tree.Member():
                return same_place(value, target) or not self._may_share(value, symbol)
            case tree.Apply():
                what = meaning(value, self.routine.scope)
                if what == "section":
                    inside = all(not self.mentions(item.value, symbol) for item in value.arguments)
                    return inside and (same_place(value, target) or not self._may_share(value.base, symbol))
                if self.emitter.elements.is_elemental(value):
                    if what == "call" and not self._is_pure(value):
                        return False
                    return all(self._safe(item.value, target, symbol) for item in value.arguments)
                return True
            case tree.ArrayConstructor():
                return True
            case _:
                pass
        return False

    def _is_pure(self, value: tree.Apply) -> bool:
        procedure = called(value, self.routine.scope)
        return not isinstance(procedure, Symbol) and procedure.pure

    def _may_share(self, value: tree.Expression, symbol: Symbol) -> bool:
        """Tell whether a variable may share memory with the target."""
        other = symbol_of(value, self.routine.scope)
        if other is None or other is symbol:
            return True
        root, base = self._root(value), symbol
        if root is not None and root is base:
            return True
        if "associated" in other.attributes | symbol.attributes:
            return True
        pointers = [item.pointer or "target" in item.attributes for item in (other, symbol)]
        return (other.pointer and pointers[1]) or (symbol.pointer and pointers[0])

    def _root(self, expression: tree.Expression) -> Symbol | None:
        while isinstance(expression, (tree.Member, tree.Apply)):
            expression = expression.base
        return symbol_of(expression, self.routine.scope) if isinstance(expression, tree.Name) else None

    def mentions(self, value: tree.Expression, symbol: Symbol) -> bool:
        """Tell whether an expression names a variable, or what may lie where it lies."""
        for item in walk(value):
            if isinstance(item, (tree.Name, tree.Member)):
                found = self.routine.scope.find(item.name) if isinstance(item, tree.Name) else None
                if isinstance(item, tree.Member):
                    found = symbol_of(item, self.routine.scope)
                if found is symbol:
                    return True
                if found is not None and found.pointer and (symbol.pointer or "target" in symbol.attributes):
                    return True
        return False

    # -- masks -----------------------------------------------------------------------------------------------

    def where(self, statement: tree.Where, outer: Code | None = None) -> list[str]:
        """Return masked assignments: masks are evaluated first, then each assignment is a loop.

        Args:
            statement: The construct.
            outer: The mask of the construct around it, if there is one.
        """
        lines: list[str] = []
        earlier = outer
        for mask, body in statement.arms:
            current = earlier
            if mask is not None:
                object_text = self.emitter.elements.object(mask).text
                current = Code(self.routine.fresh("mask"))
                lines += self._flush()
                lines.append(f"auto {current.text} = fortran::evaluated({object_text});")
            remaining: Code | None = None
            if mask is not None:
                remaining = Code(self.routine.fresh("rest"))
                assert current is not None
                left = earlier.text if earlier else "true"
                lines.append(f"const auto {remaining.text} = fortran::split({current.text}, {left});")
            for inner in body:
                lines += self._masked(inner, current)
            earlier = remaining or earlier
        return ["{", *(f"    {line}" for line in lines), "}"]

    def _flush(self) -> list[str]:
        lines = list(self.routine.pre)
        self.routine.pre.clear()
        return lines

    def _masked(self, inner: tree.Statement, current: Code | None) -> list[str]:
        if isinstance(inner, tree.Comment):
            return [f"//{inner.text}"]
        if isinstance(inner, tree.Where):
            return self.where(inner, current)
        if not isinstance(inner, tree.Assign):
            raise self.routine.refused("a statement in `where` that is no assignment", inner.line)
        body = self.loop(inner.target, inner.value, inner.line, current)
        return [*self._flush(), *body]


def symbol_type(target: tree.Expression, routine: object) -> Type:
    """Return the type of what is assigned to."""
    from transpile.translators.fortran.routine import Routine

    assert isinstance(routine, Routine)
    return routine.typed(target).type


def nest(names: list[str], axes: list[Axis], body: str) -> list[str]:
    """Return loops over axes, the last one outermost as the layout wants it, around a line."""
    lines: list[str] = []
    depth = len(names)
    for level, (name, axis) in enumerate(reversed(list(zip(names, axes, strict=True)))):
        plain = axis.step == "1" and axis.vector is None
        first, last = (axis.start, axis.last) if plain else ("1", axis.extent)
        lines.append("    " * level + f"for (int {name} = {first}; {name} <= {last}; ++{name}) {{")
    lines.append("    " * depth + body)
    lines.extend("    " * level + "}" for level in reversed(range(depth)))
    return lines


def _position(index: Index) -> str:
    from transpile.translators.fortran.axes import subscript

    return subscript(Axis("1", ""), index)
