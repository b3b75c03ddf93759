"""Statements of Fortran as statements of C++: control flow, and the order of everything else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from transpile.parsers.fortran import intrinsics, tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import INTEGER, Scope, Symbol
from transpile.parsers.fortran.typing import symbol_of
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.axes import Index
from transpile.translators.fortran.code import Code
from transpile.translators.fortran.dynamic_types import DynamicTypes
from transpile.translators.fortran.loops import Loops
from transpile.translators.fortran.memory import Memory
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.pointers import Pointers
from transpile.translators.fortran.routine import Loop, Target
from transpile.translators.fortran.selection import Selection
from transpile.translators.fortran.types import plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class Statements:
    """Writes statements."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine
        self.out = emitter.routine.out
        self.loops = Loops(emitter)
        self.selection = Selection(emitter)
        self.dynamic_types = DynamicTypes(emitter)
        self.memory = Memory(emitter)
        self.pointers = Pointers(emitter)
        self.jumped: set[str] = set()

    def body(self, statements: tuple[tree.Statement, ...]) -> None:
        """Write statements in their order."""
        at = 0
        while at < len(statements):
            statement = statements[at]
            if isinstance(statement, tree.Directive):
                at = self.emitter.directives.write(statements, at)
            else:
                self.one(statement)
                at += 1

    def one(self, statement: tree.Statement) -> None:
        """Write a statement with its label, and what must be evaluated before it."""
        around, self.out.origin = self.out.origin, statement.line
        self._one(statement)
        self.out.origin = around

    def _one(self, statement: tree.Statement) -> None:
        if statement.label and statement.label in self.jumped and not isinstance(statement, tree.Format):
            self.out.outdented(f"{self.label(statement.label)}:;")
        if isinstance(statement, tree.Comment):
            self._comment(statement)
            return
        with self.routine.separate():
            self._dispatch(statement)

    def _comment(self, statement: tree.Comment) -> None:
        if statement.trailing and self.out.lines and self.out.lines[-1].endswith(";"):
            self.out.lines[-1] += f"  //{statement.text.rstrip(chr(92))}"
        else:
            self.out.line(f"//{statement.text.rstrip(chr(92))}")

    def _dispatch(self, statement: tree.Statement) -> None:
        match statement:
            case tree.If():
                self.selection.conditional(statement)
            case tree.Do():
                self.loops.do(statement)
            case tree.DoConcurrent():
                self.loops.concurrent(statement)
            case tree.Select():
                self.selection.select(statement)
            case tree.Associate():
                self._associate(statement)
            case tree.SelectType():
                self.dynamic_types.select(statement)
            case tree.Block():
                self._block(statement)
            case tree.Format() | tree.Continue():
                pass
            case _:
                self.lines(self._simple(statement))

    def lines(self, lines: list[str]) -> None:
        """Write lines after those that must stand before them; together they are a block."""
        pre = _needed(self.routine.pre, lines)
        self.routine.pre.clear()
        if pre:
            self.out.open()
        for line in (*pre, *lines):
            self.out.line(line)
        if pre:
            self.out.close()

    @contextmanager
    def preceded(self) -> Iterator[None]:
        """Write what must stand before a construct, and the construct within one block with it."""
        pre = list(self.routine.pre)
        self.routine.pre.clear()
        if pre:
            self.out.open()
            for line in pre:
                self.out.line(line)
        yield
        if pre:
            self.out.close()

    def _simple(self, statement: tree.Statement) -> list[str]:
        """Return the lines of a statement without others in it."""
        match statement:
            case tree.Assign(target=target, value=value, line=line):
                return self.emitter.assignments.assign(target, value, line)
            case tree.PointerAssign():
                return [self.pointers.assign(statement)]
            case tree.Call():
                return self._call(statement)
            case tree.Where():
                return self.emitter.assignments.where(statement)
            case tree.Transfer():
                return self.emitter.transfers.transfer(statement)
            case tree.FileStatement():
                return self.emitter.transfers.file(statement)
            case tree.Allocate():
                return self.memory.allocate(statement)
            case tree.Deallocate():
                return self.memory.deallocate(statement)
            case tree.Nullify(targets=targets):
                return [line for item in targets for line in self.memory.nullify(item)]
            case tree.Jump():
                return [self._jump(statement)]
            case tree.Goto():
                return self._goto(statement)
            case tree.ArithmeticIf():
                return self._arithmetic_if(statement)
            case tree.Stop():
                return [self._stop(statement)]
            case tree.Return():
                return [self.emitter.variables.return_statement()]
            case _:
                pass
        raise self.routine.refused(f"a statement of the sort {type(statement).__name__}", statement.line)

    def label(self, label: str) -> str:
        """Return the name of a label."""
        return f"label_{label}"

    # -- calls -----------------------------------------------------------------------------------------------

    def _call(self, statement: tree.Call) -> list[str]:
        routine = statement.routine
        if isinstance(routine, tree.Name):
            found = self.routine.scope.find(routine.name)
            if (found is None or found.role == "intrinsic") and routine.name in intrinsics.SUBROUTINES:
                return self.emitter.subroutines.call(routine.name, statement)
            if found is None:
                raise self.routine.refused(f"the subroutine `{routine.name}` is not found", statement.line)
            procedure = found.procedure
            if procedure is not None and procedure.elemental:
                ranked = [item.value for item in statement.arguments if self.routine.typed(item.value).rank]
                if ranked:
                    return self._elementwise(statement, ranked[0])
        return [f"{self.emitter.calls.subroutine(statement).text};"]

    def _elementwise(self, statement: tree.Call, first: tree.Expression) -> list[str]:
        from transpile.translators.fortran.assignments import nest

        axes = self.emitter.elements.axes(first)
        names = self.routine.indices(len(axes), *(item.value for item in statement.arguments))
        at = [
            Index(name, axis.start if axis.step == "1" else "1")
            for name, axis in zip(names, axes, strict=True)
        ]
        self._evaluated_first(statement)
        self.routine.active.extend(names)
        code = self.emitter.calls.subroutine(statement, at)
        del self.routine.active[-len(names) :]
        return nest(names, axes, f"{code.text};")

    def _evaluated_first(self, statement: tree.Call) -> None:
        """Evaluate arguments that are computed from variables among the others, which the call may change."""
        values = [item.value for item in statement.arguments]
        variables = [item for item in values if self.emitter.calls.arguments.is_variable(item)]
        symbols = [found for item in variables if (found := symbol_of(item, self.routine.scope)) is not None]
        for value in values:
            if value in variables or not self.routine.typed(value).rank:
                continue
            if any(self.emitter.assignments.mentions(value, symbol) for symbol in symbols):
                text = self.emitter.elements.object(value).text
                self.routine.hoist(Code(f"fortran::evaluated({text})"), "values", of=value)

    # -- jumps -----------------------------------------------------------------------------------------------

    def _jump(self, statement: tree.Jump) -> str:
        """Return what leaves a construct or goes on with its next iteration."""
        around = self.routine.loops
        for depth, loop in enumerate(reversed(around)):
            wanted = loop.name == statement.target if statement.target else loop.is_loop
            if not wanted:
                continue
            inner = around[len(around) - depth :]
            if statement.kind == "cycle":
                if not any(item.is_loop for item in inner):
                    return "continue;"
                loop.next.used = True
                return f"goto {loop.next.name};"
            if loop.is_loop and not any(item.is_loop or item.switch for item in inner):
                return "break;"
            loop.leave.used = True
            return f"goto {loop.leave.name};"
        raise self.routine.refused(f"`{statement.kind}` outside of a loop", statement.line)

    @contextmanager
    def construct(self, name: str, *, is_loop: bool, switch: bool = False) -> Iterator[Loop]:
        """Know of a construct while its body is written."""
        stem = plain(name) if name else "loop"
        loop = Loop(
            name,
            is_loop,
            Target(self.routine.fresh(f"leave_{stem}")),
            Target(self.routine.fresh(f"next_{stem}")),
            switch,
        )
        self.routine.loops.append(loop)
        yield loop
        self.routine.loops.pop()

    def _goto(self, statement: tree.Goto) -> list[str]:
        if statement.selector is None:
            return [f"goto {self.label(statement.labels[0])};"]
        selector = self.emitter.expressions.scalar(statement.selector)
        if statement.assigned and not statement.labels:
            raise self.routine.refused(
                "a jump to an assigned label of which no list is given", statement.line
            )
        cases = [
            f"    case {label if statement.assigned else at}: goto {self.label(label)};"
            for at, label in enumerate(statement.labels, 1)
        ]
        return [f"switch ({selector.text}) {{", *cases, "    default: break;", "}"]

    def _arithmetic_if(self, statement: tree.ArithmeticIf) -> list[str]:
        code = self.emitter.expressions.scalar(statement.value)
        if not code.text.isidentifier():
            code = self.routine.hoist(code, "sign")
        less, zero, more = (self.label(item) for item in statement.labels)
        return [f"if ({code.text} < 0) goto {less};", f"if ({code.text} == 0) goto {zero};", f"goto {more};"]

    def _stop(self, statement: tree.Stop) -> str:
        function = "fortran::error_stop" if statement.error else "fortran::stop"
        if statement.code is None:
            return f"{function}();"
        code = self.emitter.expressions.scalar(statement.code).text
        if self.routine.typed(statement.code).type.base == "character":
            return f"{function}(std::string_view({code}));"
        return f"{function}({code});" if statement.error else f"{function}({code}, false);"

    # -- scopes of their own ---------------------------------------------------------------------------------

    def _associate(self, statement: tree.Associate) -> None:
        scope = Scope(self.routine.scope.unit, self.routine.scope, self.routine.scope.file)
        scope.rules = self.routine.scope.rules
        declared = []
        for name, value in statement.names:
            what = self.routine.typed(value)
            symbol = Symbol(name, name, "variable", scope, statement.line, what.type, True)
            symbol.attributes.add("associated")
            if what.rank:
                symbol.dimensions = tuple(tree.Range(statement.line, None, None) for _ in range(what.rank))
            declared.append(self._associated(plain(name), value, what.rank))
            scope.symbols[name] = symbol
        outer = self.routine.scope
        with self.preceded():
            self.out.open()
            for line in declared:
                self.out.line(line)
            self.routine.scope = scope
            self.body(statement.body)
            self.routine.scope = outer
            self.out.close()

    def _associated(self, name: str, value: tree.Expression, rank: int) -> str:
        variable = self.emitter.calls.arguments.is_variable(value)
        if rank:
            code = self.emitter.elements.object(value)
            if variable and not code.text.startswith("fortran::elements"):
                return f"auto {name} = fortran::whole({code.text});"
            if variable:
                raise self.routine.refused(
                    "`associate` with a vector subscript or parts of elements", value.line
                )
            return f"const auto {name} = fortran::evaluated({code.text});"
        if variable:
            code = self.emitter.expressions.reference(value)
            return f"auto &&{name} = {code.text};"
        code = self.emitter.expressions.scalar(value)
        of = self.routine.typed(value).type
        return f"const {'std::string' if of.base == 'character' else 'auto'} {name} = {code.text};"

    def _block(self, statement: tree.Block) -> None:
        from transpile.parsers.fortran.resolve import fill_block

        scope = fill_block(self.routine.program, self.routine.scope, statement)
        outer = self.routine.scope
        with self.construct(statement.name, is_loop=False) as construct:
            self.out.open()
            self.routine.scope = scope
            self.emitter.variables.declare_block(scope, statement)
            self.body(statement.body)
            self.routine.scope = outer
            self.out.close()
        if construct.leave.used:
            self.out.outdented(f"{construct.leave.name}:;")

    @contextmanager
    def implied_loop(self, loop: tree.Loop) -> Iterator[str]:
        """Yield the head of the loop of an implied `do`, whose variable is its own."""
        scalar = self.emitter.expressions.scalar
        first, last = scalar(loop.first).text, scalar(loop.last).text
        step = fold(loop.step, self.routine.scope) if loop.step is not None else 1
        if step is None or step == 0:
            raise self.routine.refused("an implied `do` with a step that is no constant", loop.first.line)
        symbol = self.routine.variable(loop.variable, loop.first.line)
        name = plain(loop.variable)
        of = plain_type(
            symbol.type if symbol.type.base == "integer" else INTEGER, self.routine.scope, loop.first.line
        )
        before = self.routine.names.get(id(symbol))
        self.routine.names[id(symbol)] = Code(name)
        self.routine.active.append(name)
        compare = "<=" if step > 0 else ">="
        change = f"++{name}" if step == 1 else f"--{name}" if step == -1 else f"{name} += {step}"
        yield f"for ({of} {name} = {first}; {name} {compare} {last}; {change})"
        self.routine.active.pop()
        if before is None:
            del self.routine.names[id(symbol)]
        else:
            self.routine.names[id(symbol)] = before


def _needed(pre: list[str], lines: list[str]) -> list[str]:
    """Return what must stand before lines, without bounds of sections that nothing asks for."""
    kept: list[str] = []
    later = "\n".join(lines)
    for line in reversed(pre):
        found = re.match(r"const auto (bound_\d+) = ", line)
        if found and not re.search(rf"\b{found[1]}\b", later):
            continue
        kept.insert(0, line)
        later += line
    return kept


def labels_jumped_to(statements: tuple[tree.Statement, ...]) -> set[str]:
    """Return the labels to which statements jump."""
    found: set[str] = set()
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, (tree.Goto, tree.ArithmeticIf)):
                found.update(node.labels)
            elif isinstance(node, tree.Transfer):
                found.update(
                    str(item.value.value)
                    for item in node.options
                    if item.keyword in ("end", "err", "eor") and isinstance(item.value, tree.Integer)
                )
    return found
