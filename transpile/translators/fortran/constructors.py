"""Array constructors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Type
from transpile.translators.fortran.code import Code
from transpile.translators.fortran.types import plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class Constructors:
    """Writes array constructors."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine

    def plain(self, expression: tree.ArrayConstructor) -> bool:
        """Tell whether all values are scalars that are listed."""
        return not any(
            isinstance(item, tree.ImpliedDo) or self.routine.typed(item).rank for item in expression.items
        )

    def values(self, expression: tree.ArrayConstructor, of: Type) -> str:
        """Return the values of a plain constructor as a list of C++ for elements of a type."""
        own = self.routine.typed(expression).type
        parts = []
        for item in expression.items:
            code = self.emitter.expressions.scalar(item)
            code = self.emitter.expressions.cast(code, self.routine.typed(item).type, own, item.line)
            parts.append(self.emitter.expressions.cast(code, own, of, item.line).text)
        return f"{{{', '.join(parts)}}}"

    def array(self, expression: tree.ArrayConstructor) -> Code:
        """Return the array that a constructor makes."""
        of = self.routine.typed(expression).type
        name = plain_type(of, self.routine.scope, expression.line)
        if self.plain(expression) and expression.items:
            return Code(f"fortran::FixedArray<{name}, {len(expression.items)}>{self.values(expression, of)}")
        lines: list[str] = []
        for item in expression.items:
            self._add(item, of, lines)
        body = " ".join(lines)
        unused = "" if body else "[[maybe_unused]] "
        return Code(f"fortran::constructed<{name}>([&]({unused}const auto &add) {{ {body} }})")

    def _add(self, item: tree.Expression, of: Type, lines: list[str]) -> None:
        """Add the lines that add an item."""
        if isinstance(item, tree.ImpliedDo):
            with self.emitter.statements.implied_loop(item.loop) as head:
                lines.append(f"{head} {{")
                for inner in item.items:
                    self._add(inner, of, lines)
            lines.append("}")
            return
        with self.routine.separate() as pre:
            what = self.routine.typed(item)
            if what.rank:
                text = self.emitter.elements.object(item).text
            else:
                text = self.emitter.expressions.converted(item, of).text
        lines.extend((*pre, f"add({text});"))
