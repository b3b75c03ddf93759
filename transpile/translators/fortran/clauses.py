"""Clauses of OpenMP directives, with variables as C++ calls them."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter

_REDUCTIONS = {".and.": "&&", ".or.": "||", "iand": "&", "ior": "|", "ieor": "^"}
_CLAUSE = re.compile(r"\s*,?\s*([a-z_]+)\s*(\()?")
_LISTS = (
    "private", "firstprivate", "lastprivate", "shared", "copyin", "copyprivate", "reduction", "in_reduction",
    "task_reduction", "linear", "depend", "map", "aligned", "is_device_ptr", "flush", "nontemporal",
)  # fmt: skip
_VALUES = (
    "num_threads",
    "if",
    "final",
    "priority",
    "grainsize",
    "num_tasks",
    "num_teams",
    "thread_limit",
    "device",
)
_PLAIN = ("nowait", "untied", "mergeable", "nogroup", "ordered")
_KEPT = (
    "schedule",
    "collapse",
    "default",
    "proc_bind",
    "safelen",
    "simdlen",
    "dist_schedule",
    "hint",
    "order",
)


class Clauses:
    """Writes clauses."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine

    def write(
        self,
        text: str,
        line: int,
        *,
        without: Set[str] = frozenset(),
        private: Sequence[str] = (),
    ) -> str:
        """Return the clauses of a pragma, with variables as C++ calls them."""
        parts: list[str] = []
        listed: set[str] = set()
        for name, inside in clauses_of(text):
            if name in _PLAIN and inside is None:
                parts.append(name)
            elif name in _KEPT:
                parts.append(f"{name}({inside})")
            elif name in _VALUES and inside is not None:
                parts.append(self._value(name, inside, line))
            elif name in _LISTS and inside is not None:
                part, names = self._list(name, inside, line, without)
                listed.update(names)
                if part:
                    parts.append(part)
            else:
                raise self.routine.refused(f"the clause `{name}`", line)
        missing = [item for item in private if item not in listed]
        if missing:
            parts.append(f"private({', '.join(self._variable(item, line) for item in missing)})")
        return "".join(f" {part}" for part in parts)

    def _value(self, name: str, inside: str, line: int) -> str:
        modifier = ""
        if name == "if" and ":" in inside:
            modifier, _, inside = inside.partition(":")
            modifier += ": "
        expression = self._expression(inside, line)
        return f"{name}({modifier}{self.emitter.expressions.scalar(expression).text})"

    def _expression(self, text: str, line: int) -> tree.Expression:
        """Return an expression that stands in a clause."""
        from transpile.parsers.fortran.units import parse_expression

        return parse_expression(text, self.routine.scope.file, line)

    def _list(self, name: str, inside: str, line: int, without: Set[str]) -> tuple[str, list[str]]:
        head, colon, items = "", "", inside
        if name in (
            "reduction",
            "depend",
            "map",
            "in_reduction",
            "task_reduction",
            "linear",
            "aligned",
        ) and ":" in _outside(inside):
            at = _outside(inside).index(":")
            head, colon, items = inside[:at].strip(), ": ", inside[at + 1 :]
            if name in ("linear", "aligned"):
                raise self.routine.refused(f"the clause `{name}({inside})`", line)
        if name.endswith("reduction"):
            head = _REDUCTIONS.get(head, head)
            if head in (".eqv.", ".neqv."):
                raise self.routine.refused(f"the reduction `{head}`", line)
        names = [item.strip() for item in _split(items)]
        kept = [item for item in names if item not in without]
        loops = self.emitter.statements.loops
        if name in ("private", "firstprivate", "shared"):
            kept = [item for item in kept if not self._own_loop(item, loops.local)]
        variables = [self._variable(item, line) for item in kept]
        if not variables:
            return "", names
        if name == "private" and any(self._allocated(item, line) for item in kept):
            name = "firstprivate"
        return f"{name}({head}{colon}{', '.join(variables)})", names

    def _own_loop(self, name: str, local: set[int]) -> bool:
        symbol = self.routine.scope.find(name)
        return symbol is not None and id(symbol) in local

    def _allocated(self, name: str, line: int) -> bool:
        symbol = self.routine.scope.find(name)
        return (
            symbol is not None
            and bool(symbol.rank)
            and not self.emitter.variables.has_constant_bounds(symbol)
        )

    def _variable(self, text: str, line: int) -> str:
        """Return a variable or an element in a clause."""
        if text.startswith("/"):
            raise self.routine.refused(f"the common block `{text}` in a clause", line)
        expression = self._expression(text, line)
        if isinstance(expression, tree.Name):
            symbol = self.routine.variable(expression.name, line)
            code = self.routine.name(symbol)
            if "::" in code.text or (symbol.pointer and not symbol.rank):
                return code.text
            return code.text
        if self.routine.typed(expression).rank:
            raise self.routine.refused(f"the section `{text}` in a clause", line)
        return self.emitter.expressions.reference(expression).text


def clauses_of(text: str) -> list[tuple[str, str | None]]:
    """Return the clauses of a directive: names, and what stands in their parentheses."""
    result: list[tuple[str, str | None]] = []
    at = 0
    while at < len(text):
        found = _CLAUSE.match(text, at)
        if not found:
            break
        at = found.end()
        if not found[2]:
            result.append((found[1], None))
            continue
        depth, start = 1, at
        while at < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        result.append((found[1], text[start : at - 1].strip()))
    return result


def _outside(text: str) -> str:
    depth, result = 0, ""
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        result += letter if depth == 0 else " "
    return result


def _split(text: str) -> list[str]:
    parts, start = [], 0
    for at, letter in enumerate(_outside(text)):
        if letter == ",":
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]
