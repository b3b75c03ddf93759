"""OpenMP directives of Fortran as pragmas of C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Symbol
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.alike import same_place
from transpile.translators.fortran.clauses import Clauses

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter

_WORDS = (
    "target", "teams", "distribute", "parallel", "do", "simd", "sections", "section", "single",
    "master", "masked", "critical", "atomic", "barrier", "taskwait", "taskyield", "taskgroup", "task",
    "taskloop", "flush", "ordered", "workshare", "threadprivate", "loop", "data", "enter", "exit",
    "update", "declare",
)  # fmt: skip
_STANDALONE = {("barrier",), ("taskwait",), ("taskyield",), ("flush",), ("threadprivate",)}
_UNKNOWN = {"workshare", "declare", "data", "enter", "exit", "update", "loop"}


class Directives:
    """Writes directives and the statements that they govern."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine
        self.out = emitter.routine.out
        self.bound: list[set[str]] = []
        self.clauses = Clauses(emitter)

    def write(self, statements: tuple[tree.Statement, ...], at: int) -> int:
        """Write the directive at a position and what belongs to it; return the position behind that.

        Raises:
            Refused: Where we do not know it.
        """
        directive = statements[at]
        assert isinstance(directive, tree.Directive)
        words, rest = split_directive(directive.text)
        if words[:1] == ["end"]:
            raise self.routine.refused(f"`!$omp {directive.text}` without a beginning", directive.line)
        if not words or set(words) & _UNKNOWN:
            raise self.routine.refused(f"the directive `!$omp {directive.text}`", directive.line)
        if tuple(words) in _STANDALONE:
            if words == ["threadprivate"]:
                raise self.routine.refused("`threadprivate`", directive.line)
            self._pragma(words, self.clauses.write(rest, directive.line))
            return at + 1
        if words == ["section"]:
            raise self.routine.refused("a section outside of sections", directive.line)
        end = self._end(statements, at + 1, words)
        inner = statements[at + 1 : end if end is not None else len(statements)]
        tail = ""
        if end is not None:
            closing = statements[end]
            assert isinstance(closing, tree.Directive)
            tail = split_directive(closing.text)[1]
        if words[-1] in ("do", "simd", "distribute", "taskloop"):
            return self._loop(words, rest, tail, statements, at, end)
        if words == ["atomic"]:
            return self._atomic(rest, statements, at, end)
        if end is None:
            raise self.routine.refused(f"`!$omp {directive.text}` without an end", directive.line)
        if words[-1] == "sections":
            self._sections(words, f"{rest} {tail}", inner, directive.line)
            return end + 1
        self._block(words, rest if words == ["critical"] else f"{rest} {tail}", inner, directive.line)
        return end + 1

    def _end(self, statements: tuple[tree.Statement, ...], start: int, words: list[str]) -> int | None:
        """Return the position of the directive that ends another."""
        depth = 0
        for at in range(start, len(statements)):
            item = statements[at]
            if not isinstance(item, tree.Directive):
                continue
            other, _ = split_directive(item.text)
            if other == words:
                depth += 1
            elif other == ["end", *words]:
                if depth == 0:
                    return at
                depth -= 1
        if depth and words[-1] in ("do", "simd", "distribute", "atomic", "taskloop"):
            return None
        return None

    def _pragma(self, words: list[str], clauses: str) -> None:
        spelled = " ".join("for" if word == "do" else word for word in words)
        self.out.line(f"#pragma omp {spelled}{clauses}")

    # -- loops -----------------------------------------------------------------------------------------------

    def _loop(
        self,
        words: list[str],
        rest: str,
        tail: str,
        statements: tuple[tree.Statement, ...],
        at: int,
        end: int | None,
    ) -> int:
        """Write a loop under a directive; its variable is its own."""
        directive = statements[at]
        position = at + 1
        while position < len(statements) and isinstance(statements[position], tree.Comment):
            position += 1
        loop = statements[position] if position < len(statements) else None
        if not isinstance(loop, tree.Do) or loop.loop is None:
            raise self.routine.refused(f"`!$omp {' '.join(words)}` without a counted loop", directive.line)
        if end is not None:
            between = statements[position + 1 : end]
            if any(not isinstance(item, tree.Comment) for item in between):
                raise self.routine.refused(f"`!$omp {' '.join(words)}` over more than a loop", directive.line)
        depth = _collapsed(rest)
        controlled = self._nest(loop, depth)
        names = [symbol.name for symbol, _ in controlled]
        extra = self._inner_private(words, loop, set(names))
        clauses = self.clauses.write(f"{rest} {tail}", directive.line, without=set(names), private=extra)
        self._heads(loop, depth, words, clauses)
        return end + 1 if end is not None else position + 1

    def _nest(self, loop: tree.Do, depth: int) -> list[tuple[Symbol, tree.Do]]:
        """Return the loops that a directive governs, with their variables."""
        found = []
        current: tree.Do = loop
        for level in range(depth):
            assert current.loop is not None
            found.append((self.routine.variable(current.loop.variable, current.line), current))
            if level == depth - 1:
                break
            inner = [item for item in current.body if not isinstance(item, tree.Comment)]
            if len(inner) != 1 or not isinstance(inner[0], tree.Do) or inner[0].loop is None:
                raise self.routine.refused("`collapse` of loops that are not nested perfectly", loop.line)
            current = inner[0]
        return found

    def _heads(self, loop: tree.Do, depth: int, words: list[str], clauses: str) -> None:
        """Write the pragma, the heads of the loops that it governs, and their body."""
        from transpile.translators.fortran.code import Code
        from transpile.translators.fortran.names import plain

        governed = self._nest(loop, depth)
        before = [(symbol, self.routine.names.get(id(symbol))) for symbol, _ in governed]
        last = f"lastprivate({governed[0][0].name})" in clauses
        if last:
            raise self.routine.refused("`lastprivate` of the variable of the loop", loop.line)
        outer, self.routine.pre = self.routine.pre, []
        heads = []
        for symbol, item in governed:
            assert item.loop is not None
            self.routine.names[id(symbol)] = Code(plain(symbol.spelling))
            heads.append(self.emitter.statements.loops.head(item, item.loop, symbol, own=True))
            if any("trips" in line for line in self.routine.pre):
                raise self.routine.refused("a parallel loop with a step that is no constant", item.line)
        with self.emitter.statements.preceded():
            self._pragma(words, clauses)
            self.routine.parallel += 1
            for head in heads:
                self.out.open(head)
            with self.emitter.statements.construct(loop.name, is_loop=True) as construct:
                self.emitter.statements.body(governed[-1][1].body)
                if construct.next.used:
                    self.out.outdented(f"{construct.next.name}:;")
            for _ in heads:
                self.out.close()
            self.routine.parallel -= 1
        self.routine.pre = outer
        for symbol, code in before:
            if code is None:
                self.routine.names.pop(id(symbol), None)
            else:
                self.routine.names[id(symbol)] = code

    def _inner_private(
        self, words: list[str], body: tree.Statement | tuple[tree.Statement, ...], own: set[str]
    ) -> list[str]:
        """Return the variables of sequential loops within, which Fortran makes private by itself."""
        if not {"parallel", "task", "teams", "taskloop"} & set(words):
            return []
        found = []
        parts = body if isinstance(body, tuple) else (body,)
        for part in parts:
            for node in walk(part):
                if not isinstance(node, tree.Do) or node.loop is None or node.loop.variable in own:
                    continue
                symbol = self.routine.variable(node.loop.variable, node.line)
                if id(symbol) in self.emitter.statements.loops.local or symbol.name in found:
                    continue
                if id(symbol) in self.routine.names and symbol.name in (
                    item for names in self.bound for item in names
                ):
                    continue
                found.append(symbol.name)
        return found

    # -- blocks ----------------------------------------------------------------------------------------------

    def _block(self, words: list[str], rest: str, inner: tuple[tree.Statement, ...], line: int) -> None:
        if words == ["critical"]:
            name = rest.strip()
            self.out.line(f"#pragma omp critical{' ' + name if name else ''}")
        else:
            private = self._inner_private(words, inner, self._governed(inner))
            self._pragma(words, self.clauses.write(rest, line, private=private))
        self.out.open()
        self.routine.parallel += 1
        self.emitter.statements.body(inner)
        self.routine.parallel -= 1
        self.out.close()

    def _governed(self, inner: tuple[tree.Statement, ...]) -> set[str]:
        """Return the variables of loops that directives govern directly."""
        found: set[str] = set()
        for at, item in enumerate(inner):
            if (
                isinstance(item, tree.Do)
                and item.loop is not None
                and at
                and isinstance(inner[at - 1], tree.Directive)
            ):
                found.add(item.loop.variable)
        return found

    def _sections(self, words: list[str], rest: str, inner: tuple[tree.Statement, ...], line: int) -> None:
        parts: list[list[tree.Statement]] = [[]]
        for item in inner:
            if isinstance(item, tree.Directive) and split_directive(item.text)[0] == ["section"]:
                parts.append([])
            else:
                parts[-1].append(item)
        private = self._inner_private(words, inner, set())
        self._pragma(words, self.clauses.write(rest, line, private=private))
        self.out.open()
        self.routine.parallel += 1
        for part in parts:
            if all(isinstance(item, tree.Comment) for item in part):
                continue
            self.out.line("#pragma omp section")
            self.out.open()
            self.emitter.statements.body(tuple(part))
            self.out.close()
        self.routine.parallel -= 1
        self.out.close()

    def _atomic(self, rest: str, statements: tuple[tree.Statement, ...], at: int, end: int | None) -> int:
        position = at + 1
        statement = statements[position] if position < len(statements) else None
        if (
            not isinstance(statement, tree.Assign)
            or "capture" in rest
            or (end is not None and end != position + 1)
        ):
            raise self.routine.refused("an atomic construct that is no assignment", statements[at].line)
        target, value = statement.target, statement.value
        if not rest.strip() or "update" in rest:
            if not isinstance(value, tree.Binary) or value.operator not in ("+", "-", "*", "/"):
                raise self.routine.refused("an atomic update by this operation", statement.line)
            left, right = self.routine.typed(value.left).type, self.routine.typed(value.right).type
            of = self.routine.typed(target).type
            if (same_place(value.left, target) and not isinstance(value.right, tree.Apply)) or same_place(
                value.left, target
            ):
                operand = self.emitter.expressions.settled(
                    self.emitter.expressions.scalar(value.right), right, of, statement.line
                )
            elif same_place(value.right, target) and value.operator in "+*":
                operand = self.emitter.expressions.settled(
                    self.emitter.expressions.scalar(value.left), left, of, statement.line
                )
            else:
                operand = None
            if operand is None or of.base == "complex":
                raise self.routine.refused("an atomic update of this form", statement.line)
            for line in self.routine.pre:
                self.out.line(line)
            self.routine.pre.clear()
            self.out.line("#pragma omp atomic")
            self.out.line(
                f"{self.emitter.expressions.reference(target).text} {value.operator}= {operand.text};"
            )
        else:
            self.out.line(f"#pragma omp atomic {rest.strip()}")
            for line in self.emitter.assignments.assign(target, value, statement.line):
                self.out.line(line)
        return end + 1 if end is not None else position + 1


def split_directive(text: str) -> tuple[list[str], str]:
    """Return the words of a directive's name and the rest."""
    words: list[str] = []
    text = re.sub(r"^end(?=[a-z])", "end ", text)
    text = re.sub(r"\bparallel(do|sections)\b", r"parallel \1", text)
    while True:
        found = re.match(r"\s*([a-z]+)", text)
        if not found or (found[1] != "end" and found[1] not in _WORDS):
            break
        if found[1] == "ordered" and words not in ([], ["end"]):
            break
        words.append(found[1])
        text = text[found.end() :]
        if found[1] in ("atomic", "flush", "critical", "threadprivate", "taskwait"):
            break
    return words, text.strip()


def _collapsed(text: str) -> int:
    found = re.search(r"\bcollapse\s*\(\s*(\d+)\s*\)", text)
    return int(found[1]) if found else 1
