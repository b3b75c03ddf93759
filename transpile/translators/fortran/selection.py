"""Choices: `if` and `select case`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import Type
from transpile.translators.fortran.code import Binding, Code

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class Selection:
    """Writes choices."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine
        self.out = emitter.routine.out

    def conditional(self, statement: tree.If) -> None:
        """Write an `if` with all of its arms."""
        condition, body = statement.arms[0]
        assert condition is not None
        code = self.emitter.expressions.scalar(condition)
        with self.emitter.statements.preceded():
            self._arm(f"if ({code.text})", body)
            self._rest(statement.arms[1:])

    def _arm(self, head: str, body: tuple[tree.Statement, ...]) -> None:
        self.out.open(head)
        self.emitter.statements.body(body)
        self.out.close()

    def _rest(self, arms: tuple[tuple[tree.Expression | None, tuple[tree.Statement, ...]], ...]) -> None:
        """Write the arms behind the first; what a condition needs beforehand stands in an `else` with it."""
        if not arms:
            return
        condition, body = arms[0]
        if condition is None:
            self.out.lines[-1] += " else {"
            self.out.depth += 1
            self.emitter.statements.body(body)
            self.out.close()
            return
        with self.routine.separate() as pre:
            code = self.emitter.expressions.scalar(condition)
        if not pre:
            self.out.lines[-1] += f" else if ({code.text}) {{"
            self.out.origins[-1] = condition.line
            self.out.depth += 1
            self.emitter.statements.body(body)
            self.out.close()
            self._rest(arms[1:])
            return
        self.out.lines[-1] += " else {"
        self.out.depth += 1
        for line in pre:
            self.out.line(line)
        self._arm(f"if ({code.text})", body)
        self._rest(arms[1:])
        self.out.close()

    def select(self, statement: tree.Select) -> None:
        """Write a choice by value."""
        of = self.routine.typed(statement.selector).type
        selector = self.emitter.expressions.scalar(statement.selector)
        with self.emitter.statements.preceded():
            with self.emitter.statements.construct(statement.name, is_loop=False, switch=True) as construct:
                if of.base == "integer" and self._all_values(statement):
                    self._switch(statement, selector)
                else:
                    construct.switch = False
                    self._chain(statement, selector, of)
            if construct.leave.used:
                self.out.outdented(f"{construct.leave.name}:;")

    def _all_values(self, statement: tree.Select) -> bool:
        """Tell whether every case lists numbers that are known."""
        return all(
            values is None
            or all(
                not isinstance(item, tree.Range) and fold(item, self.routine.scope) is not None
                for item in values
            )
            for values, _ in statement.cases
        )

    def _switch(self, statement: tree.Select, selector: Code) -> None:
        self.out.line(f"switch ({selector.text}) {{")
        ordered = sorted(statement.cases, key=lambda case: case[0] is None)
        for values, body in ordered:
            if values is None:
                self.out.open("default:")
            else:
                labels = [f"case {self.emitter.expressions.scalar(item).text}:" for item in values]
                self.out.open(" ".join(labels))
            self.emitter.statements.body(body)
            self.out.line("break;")
            self.out.close()
        self.out.line("}")

    def _chain(self, statement: tree.Select, selector: Code, of: Type) -> None:
        simple = selector.text.isidentifier()
        if not simple:
            self.out.open()
            name = self.routine.fresh("selector")
            kind = "const std::string" if of.base == "character" else "const auto"
            self.out.line(
                f"{kind} {name} = {'std::string' if of.base == 'character' else ''}({selector.text});"
            )
            selector = Code(name)
        cases = [case for case in statement.cases if case[0] is not None]
        default = [body for values, body in statement.cases if values is None]
        for at, (values, body) in enumerate(cases):
            assert values is not None
            condition = " || ".join(self._matches(item, selector, of, len(values) > 1) for item in values)
            if at == 0:
                self.out.open(f"if ({condition})")
            else:
                self.out.lines[-1] += f" else if ({condition}) {{"
                self.out.depth += 1
            self.emitter.statements.body(body)
            self.out.close()
        if default and cases:
            self.out.lines[-1] += " else {"
            self.out.depth += 1
            self.emitter.statements.body(default[0])
            self.out.close()
        elif default:
            self._arm("", default[0])
        if not simple:
            self.out.close()

    def _matches(self, item: tree.Expression, selector: Code, of: Type, several: bool) -> str:
        """Return the condition that a value lies in a case."""
        if not isinstance(item, tree.Range):
            return self._relation(selector, "==", item, of)
        parts = []
        if item.first is not None:
            parts.append(self._relation(selector, ">=", item.first, of))
        if item.last is not None:
            parts.append(self._relation(selector, "<=", item.last, of))
        joined = " && ".join(parts)
        return f"({joined})" if several and len(parts) > 1 else joined

    def _relation(self, selector: Code, word: str, item: tree.Expression, of: Type) -> str:
        code = self.emitter.expressions.scalar(item)
        if of.base == "character":
            return f"fortran::compare({selector.text}, {code.text}) {word} 0"
        return f"{selector.text} {word} {code.within(Binding.SHIFT)}"
