"""Actual arguments, each as its dummy argument takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import intrinsics, tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import Procedure, Symbol
from transpile.parsers.fortran.typing import meaning, symbol_of
from transpile.translators.fortran.axes import Axis, Index, subscript
from transpile.translators.fortran.code import Binding, Code
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.routine import Routine
from transpile.translators.fortran.signatures import by_value, is_template, length_parameters, raw

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class Arguments:
    """Writes the arguments of calls."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine: Routine = emitter.routine

    def of(
        self,
        procedure: Procedure,
        arguments: tuple[tree.Argument, ...],
        line: int,
        at: list[Index] | None = None,
        without: str = "",
    ) -> list[str]:
        """Return the arguments in the order of the parameters, but for the one that is left out.

        Raises:
            Refused: Where one does not fit its dummy argument.
        """
        dummies = procedure.dummies
        given = self._by_dummy(procedure, dummies, arguments, line)
        captured = self.routine.usage.captured.get(id(procedure.scope), [])
        parts = [self.routine.name(symbol).text for symbol in captured]
        ordered = at is None and self.emitter.expressions.in_order(list(given.values()))
        last = max((index for index, item in enumerate(dummies) if item.name in given), default=-1)
        for index, dummy in enumerate(dummies):
            if dummy.name == without:
                continue
            value = given.get(dummy.name)
            if value is not None:
                part = self.argument(dummy, value, line, at)
                if ordered and not self.routine.typed(value).rank and not self.is_variable(value):
                    part = self.emitter.expressions.kept(value, Code(part)).text
                parts.append(part)
            elif "optional" not in dummy.attributes:
                raise self.routine.refused(f"`{procedure.name}` without the argument `{dummy.name}`", line)
            elif index < last:
                parts.append("{}")
        return parts

    def _by_dummy(
        self, procedure: Procedure, dummies: list[Symbol], arguments: tuple[tree.Argument, ...], line: int
    ) -> dict[str, tree.Expression]:
        given: dict[str, tree.Expression] = {}
        names = [item.name for item in dummies]
        for position, item in enumerate(arguments):
            if item.keyword:
                name = item.keyword
            elif position < len(names):
                name = names[position]
            else:
                raise self.routine.refused(f"too many arguments of `{procedure.name}`", line)
            if name not in names:
                raise self.routine.refused(f"`{procedure.name}` has no argument `{name}`", line)
            given[name] = item.value
        return given

    def unknown(self, arguments: tuple[tree.Argument, ...]) -> list[str]:
        """Return the arguments of a procedure without an interface: by reference, arrays by address."""
        parts = []
        for item in arguments:
            what = self.routine.typed(item.value)
            if what.rank:
                parts.append(self._address(item.value))
            elif self.is_variable(item.value) and what.type.base != "character":
                parts.append(self.emitter.expressions.reference(item.value).text)
            elif what.type.base == "character":
                raise self.routine.refused("a text for a procedure without an interface", item.value.line)
            else:
                parts.append(f"fortran::temporary({self.emitter.expressions.scalar(item.value).text})")
        return parts

    def argument(
        self, dummy: Symbol, value: tree.Expression, line: int, at: list[Index] | None = None
    ) -> str:
        """Return one argument."""
        if dummy.role == "procedure":
            return self._procedure(value, line)
        what = self.routine.typed(value)
        if (
            not what.type.same(dummy.type)
            and not self._extends(what.type, dummy)
            and what.type.base not in ("none", "bits")
        ):
            raise self.routine.refused(
                f"an argument of type {what.type.base}({what.type.kind}) for `{dummy.name}`"
                f" of type {dummy.type.base}({dummy.type.kind})",
                line,
            )
        if dummy.rank:
            return self._array(dummy, value, line)
        if what.rank and at is None:
            raise self.routine.refused(f"an array for the scalar `{dummy.name}`", line)
        if at is not None:
            known = self.routine.known(value) if what.rank else None
            if known is not None:
                places = ", ".join(subscript(Axis("1", ""), index) for index in at)
                return f"{known.text}({places})"
            code = self.emitter.elements.element(value, at)
            return code.text if by_value(dummy, self.routine) or what.rank else self._scalar(dummy, value)
        return self._scalar(dummy, value)

    def _extends(self, of: object, dummy: Symbol) -> bool:
        derived = getattr(of, "derived", None)
        return derived is not None and dummy.type.derived is not None and derived.extends(dummy.type.derived)

    def _scalar(self, dummy: Symbol, value: tree.Expression) -> str:
        expressions = self.emitter.expressions
        symbol = symbol_of(value, self.routine.scope) if isinstance(value, (tree.Name, tree.Member)) else None
        through = symbol is not None and isinstance(value, (tree.Name, tree.Member))
        if (
            "optional" in dummy.attributes
            and symbol is not None
            and symbol.dummy
            and "optional" in symbol.attributes
        ):
            return expressions.whole(value).text
        if dummy.type.base == "character":
            return self._text(dummy, value)
        if dummy.pointer:
            if symbol is None or not symbol.pointer:
                raise self.routine.refused(f"what is no pointer for the pointer `{dummy.name}`", value.line)
            return expressions.whole(value).text
        if dummy.allocatable:
            if not through:
                raise self.routine.refused(f"an expression for the allocatable `{dummy.name}`", value.line)
            return expressions.whole(value).text
        if by_value(dummy, self.routine):
            return expressions.converted(value, dummy.type).text
        if self.is_variable(value):
            return expressions.reference(value).text
        code = expressions.converted(value, dummy.type)
        constant = not self.routine.modified(dummy) and "optional" not in dummy.attributes
        return code.text if constant else f"fortran::temporary({code.text})"

    def _text(self, dummy: Symbol, value: tree.Expression) -> str:
        code = self.emitter.expressions.scalar(value)
        if dummy.allocatable or not self.routine.modified(dummy) or "optional" in dummy.attributes:
            return code.text
        if self.is_variable(value) and not self.emitter.expressions.is_view(value):
            return code.text
        if isinstance(value, tree.Apply) and meaning(value, self.routine.scope) == "substring":
            return code.text
        return f"fortran::Scratch({code.text})"

    def is_variable(self, value: tree.Expression) -> bool:
        """Tell whether an expression has an address."""
        match value:
            case tree.Name(name=name, line=line):
                return self.routine.variable(name, line).role == "variable"
            case tree.Member(base=base):
                return self.is_variable(base)
            case tree.Apply(base=base):
                if meaning(value, self.routine.scope) in ("element", "substring", "section"):
                    return self.is_variable(base)
            case _:
                pass
        return False

    # -- arrays ----------------------------------------------------------------------------------------------

    def _array(self, dummy: Symbol, value: tree.Expression, line: int) -> str:
        what = self.routine.typed(value)
        if raw(dummy):
            return self._address(value, constant=not self.routine.modified(dummy))
        if what.rank != dummy.rank:
            raise self.routine.refused(f"an argument of rank {what.rank} for `{dummy.name}`", line)
        if dummy.allocatable or dummy.pointer:
            symbol = symbol_of(value, self.routine.scope)
            fits = symbol is not None and (symbol.allocatable if dummy.allocatable else symbol.pointer)
            if not fits or not isinstance(value, (tree.Name, tree.Member)):
                raise self.routine.refused(f"an argument without the attribute of `{dummy.name}`", line)
            return self.emitter.expressions.whole(value).text
        code = self.emitter.elements.object(value)
        if code.text.startswith("fortran::elements"):
            return f"fortran::evaluated({code.text})"
        return code.text

    def _address(self, value: tree.Expression, *, constant: bool = False) -> str:
        """Return the address of the first of elements that lie one behind another."""
        what = self.routine.typed(value)
        expressions = self.emitter.expressions
        if not what.rank:
            if not self.is_variable(value):
                code = expressions.scalar(value)
                return f"&fortran::temporary({code.text})"
            if what.type.base == "character" and not (
                isinstance(value, tree.Apply) and meaning(value, self.routine.scope) == "element"
            ):
                raise self.routine.refused("a text for an array of texts", value.line)
            self._contiguous_owner(value)
            return f"&{expressions.reference(value).within(Binding.UNARY)}"
        if isinstance(value, (tree.Name, tree.Member)):
            symbol = symbol_of(value, self.routine.scope)
            if symbol is not None and symbol.rank:
                whole = expressions.whole(value).within(Binding.PRIMARY)
                if symbol.shape == "assumed" or symbol.pointer:
                    return f"fortran::packed({whole}).data()"
                return f"{whole}.data()"
        if isinstance(value, tree.Apply) and meaning(value, self.routine.scope) == "section":
            return self._section(value)
        code = self.emitter.elements.object(value)
        if code.text.startswith("fortran::elements"):
            return f"fortran::evaluated({code.text}).data()"
        return f"{code.within(Binding.PRIMARY)}.data()"

    def _contiguous_owner(self, value: tree.Expression) -> None:
        """Refuse an element of an array whose elements may lie apart, where what follows it is passed too."""
        if isinstance(value, tree.Apply):
            symbol = symbol_of(value.base, self.routine.scope)
            if symbol is not None and symbol.rank and (symbol.shape == "assumed" or symbol.pointer):
                raise self.routine.refused(
                    "an element of an assumed-shape array as the start of an array", value.line
                )

    def _section(self, value: tree.Apply) -> str:
        """Return the address of a section, of a copy where its elements do not lie together."""
        symbol = symbol_of(value.base, self.routine.scope)
        assert symbol is not None
        code = self.emitter.elements.section(value)
        if code is None:
            return f"fortran::evaluated({self.emitter.elements.lazy(value).text}).data()"
        ranges = [item.value for item in value.arguments]
        count = next((d for d, item in enumerate(ranges) if not isinstance(item, tree.Range)), len(ranges))
        together = symbol.shape != "assumed" and not symbol.pointer
        plain_tail = not any(isinstance(item, tree.Range) for item in ranges[count:])
        leading = ranges[: max(count - 1, 0)]
        full = all(
            isinstance(item, tree.Range) and item == tree.Range(item.line, None, None) for item in leading
        )
        last = ranges[count - 1] if count else None
        unit = isinstance(last, tree.Range) and last.step is None
        if together and plain_tail and full and unit:
            return f"{code.text}.data()"
        return f"fortran::packed({code.text}).data()"

    # -- procedures and lengths ------------------------------------------------------------------------------

    def _procedure(self, value: tree.Expression, line: int) -> str:
        if not isinstance(value, tree.Name):
            raise self.routine.refused("an expression where a procedure must stand", line)
        symbol = self.routine.scope.find(value.name)
        if symbol is None or symbol.role == "intrinsic":
            if value.name in intrinsics.FUNCTIONS:
                return self.emitter.calls.intrinsic_as_argument(value.name, line)
            raise self.routine.refused(f"the procedure `{value.name}` is not found", line)
        if symbol.dummy:
            return self.routine.name(symbol).text
        procedure = symbol.procedure
        if procedure is None:
            raise self.routine.refused(f"the procedure `{value.name}` is not among the files", line)
        self.emitter.notice_call(procedure, line)
        name = self.routine.callee(procedure)
        captured = self.routine.usage.captured.get(id(procedure.scope), [])
        optional = any("optional" in item.attributes for item in procedure.dummies)
        if captured or is_template(procedure) or optional:
            fixed = "".join(f"{self.routine.name(item).text}, " for item in captured)
            passed = "std::forward<decltype(arguments)>(arguments)..."
            return f"[&](auto &&...arguments) {{ return {name}({fixed}{passed}); }}"
        return name

    def lengths(self, procedure: Procedure, arguments: tuple[tree.Argument, ...], line: int) -> str:
        """Return the lengths of characters that a template is given."""
        given = self._by_dummy(procedure, procedure.dummies, arguments, line)
        parts = []
        for dummy in length_parameters(procedure):
            value = given.get(dummy.name)
            if value is None:
                raise self.routine.refused(f"`{procedure.name}` without the argument `{dummy.name}`", line)
            of = self.routine.typed(value).type
            constant = fold(of.length, self.routine.scope)
            symbol = symbol_of(value, self.routine.scope)
            if constant is None and symbol is not None:
                constant = fold(symbol.type.length, symbol.scope)
            if constant is not None:
                parts.append(str(constant))
            elif symbol is not None and symbol.dummy and symbol.rank:
                parts.append(f"{plain(symbol.spelling)}_length")
            else:
                raise self.routine.refused("an array of texts of a length that is not known", line)
        return f"<{', '.join(parts)}>"


def code_of(text: str) -> Code:
    """Return text as a primary expression."""
    return Code(text)
