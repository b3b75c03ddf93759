"""Loops: trip counts are fixed when a loop is entered, and its variable keeps its last value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import Scope, Symbol
from transpile.parsers.fortran.typing import symbol_of
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.alike import same_place
from transpile.translators.fortran.code import Binding, Code
from transpile.translators.fortran.types import plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter

_LARGEST = 2**31 - 1


class Loops:
    """Writes loops."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine
        self.out = emitter.routine.out
        self.local: set[int] = set()
        """Identities of variables that live in their loops alone."""

    def do(self, statement: tree.Do) -> None:
        """Write a loop."""
        if statement.loop is not None:
            self._counted(statement, statement.loop)
            return
        if statement.condition is None:
            self._around(statement, "for (;;)", ())
            return
        condition = self.emitter.expressions.scalar(statement.condition)
        if not self.routine.pre:
            self._around(statement, f"while ({condition.text})", ())
            return
        pre = list(self.routine.pre)
        self.routine.pre.clear()
        self._around(statement, "for (;;)", (*pre, f"if (!{condition.within(Binding.UNARY)}) break;"))

    def _around(self, statement: tree.Do, head: str, first: tuple[str, ...]) -> None:
        """Write a head and the body with the places that `exit` and `cycle` may go to."""
        with self.emitter.statements.construct(statement.name, is_loop=True) as loop:
            self.out.open(head)
            for line in first:
                self.out.line(line)
            self.emitter.statements.body(statement.body)
            if loop.next.used:
                self.out.outdented(f"{loop.next.name}:;")
            self.out.close()
        if loop.leave.used:
            self.out.outdented(f"{loop.leave.name}:;")

    def _counted(self, statement: tree.Do, loop: tree.Loop) -> None:
        symbol = self.routine.variable(loop.variable, statement.line)
        if symbol.rank or symbol.role != "variable":
            raise self.routine.refused(f"`{loop.variable}` as the variable of a loop", statement.line)
        head = self.head(statement, loop, symbol)
        with self.emitter.statements.preceded():
            self._around(statement, head, ())

    def head(self, statement: tree.Do, loop: tree.Loop, symbol: Symbol, *, own: bool = False) -> str:
        """Return the head of a counted loop; what must be evaluated once is left to stand before it.

        Args:
            statement: The loop.
            loop: Its control.
            symbol: Its variable.
            own: Whether the variable is declared in the head, whatever happens elsewhere.
        """
        of = plain_type(symbol.type, self.routine.scope, statement.line)
        name = self.emitter.expressions.reference(tree.Name(statement.line, loop.variable)).text
        first = self.emitter.expressions.assigned(loop.first, symbol.type).text
        step = fold(loop.step, self.routine.scope) if loop.step is not None else 1
        declared = f"{of} " if own or id(symbol) in self.local else ""
        last_value = fold(loop.last, self.routine.scope)
        if (
            symbol.type.base != "integer"
            or step is None
            or (last_value is not None and abs(last_value) >= _LARGEST)
        ):
            return self._by_trips(loop, symbol, name, first, of, declared)
        if step == 0:
            raise self.routine.refused("a loop with step 0", statement.line)
        before = len(self.routine.pre)
        last = self._last(statement, loop, symbol, of)
        if len(self.routine.pre) > before and not first.replace("-", "").isalnum():
            kept = self.routine.pre[before:]
            del self.routine.pre[before:]
            first = self.routine.hoist(Code(first), "first", declared=f"const {of}").text
            self.routine.pre.extend(kept)
        compare = "<=" if step > 0 else ">="
        change = (
            f"++{name}"
            if step == 1
            else f"--{name}"
            if step == -1
            else f"{name} {'+' if step > 0 else '-'}= {abs(step)}"
        )
        return f"for ({declared}{name} = {first}; {name} {compare} {last}; {change})"

    def _by_trips(
        self, loop: tree.Loop, symbol: Symbol, name: str, first: str, of: str, declared: str
    ) -> str:
        """Return the head of a loop that counts its trips."""
        start = self.routine.hoist(Code(first), "first", declared=f"const {of}")
        last = self.routine.hoist(
            self.emitter.expressions.converted(loop.last, symbol.type), "last", declared=f"const {of}"
        )
        value = (
            self.emitter.expressions.converted(loop.step, symbol.type) if loop.step is not None else Code("1")
        )
        step = self.routine.hoist(value, "step", declared=f"const {of}")
        trips = self.routine.fresh("trips")
        if symbol.type.base == "integer":
            count = f"fortran::trips({start.text}, {last.text}, {step.text})"
        else:
            count = f"static_cast<std::int64_t>(({last.text} - {start.text} + {step.text}) / {step.text})"
        self.routine.pre.append(f"std::int64_t {trips} = {count};")
        if declared:
            self.routine.pre.append(f"{of} {name} = {start.text};")
            return f"for (; {trips} > 0; --{trips}, {name} += {step.text})"
        return f"for ({name} = {start.text}; {trips} > 0; --{trips}, {name} += {step.text})"

    def _last(self, statement: tree.Do, loop: tree.Loop, symbol: Symbol, of: str) -> str:
        code = self.emitter.expressions.assigned(loop.last, symbol.type)
        if self._steady(loop.last, statement):
            return code.within(Binding.SHIFT)
        return self.routine.hoist(code, "last", declared=f"const {of}").text

    def _steady(self, expression: tree.Expression, statement: tree.Do) -> bool:
        """Tell whether an expression keeps its value while a loop runs."""
        changed: set[str] | None = None
        calls = False
        for item in walk(expression):
            if isinstance(item, (tree.Apply, tree.Member)):
                return False
            if not isinstance(item, tree.Name):
                continue
            symbol = self.routine.variable(item.name, item.line)
            if symbol.role == "constant" or (
                symbol.dummy and not self.routine.modified(symbol) and not symbol.pointer
            ):
                continue
            if symbol.pointer or "target" in symbol.attributes:
                return False
            if changed is None:
                changed, calls = _changed(statement, self.routine.scope)
            if item.name in changed:
                return False
            if calls and (
                symbol.scope is not self.routine.scope
                or symbol.common
                or symbol.dummy
                or self._shared(symbol)
            ):
                return False
        return True

    def _shared(self, symbol: Symbol) -> bool:
        """Tell whether other procedures may see a variable."""
        if symbol.scope.unit is not None and symbol.scope.unit.kind == "module":
            return True
        return any(symbol in items for items in self.routine.usage.captured.values())

    def concurrent(self, statement: tree.DoConcurrent) -> None:
        """Write a `do concurrent` or a `forall`."""
        if statement.forall:
            self._check_forall(statement)
        with self._indices(statement) as heads:
            mask = self.emitter.expressions.scalar(statement.mask) if statement.mask is not None else None
            with self.emitter.statements.preceded():
                for head in heads[:-1]:
                    self.out.open(head)
                with self.emitter.statements.construct(statement.name, is_loop=True):
                    self.out.open(heads[-1])
                    if mask is not None:
                        self.out.line(f"if (!{mask.within(Binding.UNARY)}) continue;")
                    self.emitter.statements.body(statement.body)
                    self.out.close()
                for _ in heads[:-1]:
                    self.out.close()

    def _indices(self, statement: tree.DoConcurrent):  # type: ignore[no-untyped-def]
        from contextlib import ExitStack, contextmanager

        @contextmanager
        def entered():  # type: ignore[no-untyped-def]
            with ExitStack() as stack:
                implied = self.emitter.statements.implied_loop
                yield [stack.enter_context(implied(loop)) for loop in reversed(statement.loops)]

        return entered()

    def _check_forall(self, statement: tree.DoConcurrent) -> None:
        """Refuse a `forall` whose assignments read what they change."""
        for inner in statement.body:
            if isinstance(inner, tree.Comment):
                continue
            if (
                not isinstance(inner, tree.Assign)
                or len([item for item in statement.body if isinstance(item, tree.Assign)]) > 1
            ):
                raise self.routine.refused("a `forall` of several statements", statement.line)
            target = symbol_of(inner.target, self.routine.scope)
            read = [inner.value, *([statement.mask] if statement.mask is not None else [])]
            if isinstance(inner.target, tree.Apply):
                read += [item.value for item in inner.target.arguments]
            for expression in read:
                for item in walk(expression):
                    if isinstance(item, tree.Apply) and same_place(item, inner.target):
                        continue
                    if (
                        isinstance(item, tree.Apply)
                        and symbol_of(item, self.routine.scope) is target
                        and target is not None
                    ):
                        raise self.routine.refused("a `forall` that reads what it changes", statement.line)

    def find_local(self, body: tuple[tree.Statement, ...], excluded: set[int]) -> None:
        """Find the loop variables that are used in their loops alone."""
        outside: dict[str, int] = {}
        inside: set[str] = set()
        for statement in body:
            _count(statement, (), outside, inside)
        for name in inside - outside.keys():
            symbol = self.routine.scope.symbols.get(name)
            if symbol is None and self.routine.scope.find(name) is None:
                symbol = self.routine.variable(name, 0)
            if symbol is None or id(symbol) in excluded or symbol.dummy or symbol.common or symbol.initial:
                continue
            unit = self.routine.scope.unit
            result = unit is not None and unit.kind == "function" and unit.result == name
            if symbol.attributes - {"public", "private"} or symbol.rank or result:
                continue
            if symbol.type.base == "integer":
                self.local.add(id(symbol))


def _count(node: object, bound: tuple[str, ...], outside: dict[str, int], inside: set[str]) -> None:
    """Count the names outside of loops of which they are the variable."""
    from dataclasses import fields, is_dataclass

    match node:
        case tuple():
            for item in node:
                _count(item, bound, outside, inside)
        case tree.Name(name=name):
            if name not in bound:
                outside[name] = outside.get(name, 0) + 1
        case tree.Do(loop=tree.Loop() as loop, body=body):
            _count((loop.first, loop.last, loop.step), bound, outside, inside)
            inside.add(loop.variable)
            if loop.variable in bound:
                outside[loop.variable] = 1
            _count(body, (*bound, loop.variable), outside, inside)
        case tree.ImpliedDo(items=items, loop=loop):
            _count((loop.first, loop.last, loop.step), bound, outside, inside)
            inside.add(loop.variable)
            _count(items, (*bound, loop.variable), outside, inside)
        case tree.DoConcurrent(loops=loops, mask=mask, body=body):
            for loop in loops:
                _count((loop.first, loop.last, loop.step), bound, outside, inside)
            names = tuple(loop.variable for loop in loops)
            inside.update(names)
            _count((mask, body), (*bound, *names), outside, inside)
        case tree.Directive(text=text):
            for clause in ("lastprivate", "linear", "firstprivate", "copyprivate", "threadprivate", "shared"):
                at = text.find(clause + "(")
                if at >= 0:
                    for word in text[at:].split(")")[0].replace("(", ",").replace(":", ",").split(","):
                        outside[word.strip()] = 1
        case _ if is_dataclass(node):
            for item in fields(node):
                _count(getattr(node, item.name), bound, outside, inside)
        case _:
            pass


def _changed(statement: tree.Do, scope: Scope) -> tuple[set[str], bool]:
    """Return the names that the body of a loop may change itself, and whether it calls anything."""
    names: set[str] = {statement.loop.variable} if statement.loop is not None else set()
    calls = False
    for inner in statement.body:
        for node in walk(inner):
            match node:
                case tree.Assign(target=target) | tree.PointerAssign(target=target):
                    names.add(_base(target))
                case tree.Loop(variable=variable):
                    names.add(variable)
                case tree.Transfer(items=items, options=options):
                    names.update(_base(item) for item in (*items, *(option.value for option in options)))
                    names.update(
                        _base(item)
                        for part in items
                        if isinstance(part, tree.ImpliedDo)
                        for item in part.items
                    )
                case tree.FileStatement(options=options):
                    names.update(_base(item.value) for item in options)
                case tree.Allocate(options=options) | tree.Deallocate(options=options):
                    names.update(_base(item.value) for item in options)
                case tree.Call(arguments=arguments):
                    calls = True
                    names.update(_base(item.value) for item in arguments)
                case tree.Apply(base=base, arguments=arguments):
                    calls = True
                    if _maybe_function(base, scope):
                        names.update(_base(item.value) for item in arguments)
                case tree.Associate(names=given):
                    names.update(_base(value) for _, value in given)
                case _:
                    pass
    return names, calls


def _maybe_function(base: tree.Expression, scope: Scope) -> bool:
    """Tell whether a reference may be a call, which may change its arguments."""
    if isinstance(base, tree.Member):
        return True
    found = scope.find(base.name) if isinstance(base, tree.Name) else None
    return found is not None and found.role in ("procedure", "generic")


def _base(expression: tree.Expression) -> str:
    while isinstance(expression, (tree.Apply, tree.Member)):
        expression = expression.base
    return expression.name if isinstance(expression, tree.Name) else ""
