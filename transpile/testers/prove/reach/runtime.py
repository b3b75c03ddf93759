"""Answers of runtimes to a thread: its number and how many there are, bound by what launches say."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import z3
from clang.cindex import CursorKind

from transpile import expressions
from transpile.parsers.types import clang
from transpile.testers.prove.reach.place import MOST_OF_LAUNCHES, MOST_THREADS, Place
from transpile.testers.prove.reach.shapes import Wrapped
from transpile.testers.prove.reach.values import Term

Cursor = Any

_INDICES = {
    "threadIdx": "blockDim",
    "blockIdx": "gridDim",
    "blockDim": "blockDim",
    "gridDim": "gridDim",
}
_WRAPS = 1 << 32
_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
TOLD = ("omp_get_num_threads", "omp_get_thread_num", "omp_get_max_threads", "omp_get_num_procs")
"""Functions of OpenMP that ask about threads."""


class Runtime(Place):
    """A place of a function that threads execute."""

    def of_team(self, name: str) -> Term:
        """Return what OpenMP's runtime tells of threads."""
        if name == "omp_get_num_threads":
            return self.team
        if name != "omp_get_thread_num":
            return self.values.between(1, MOST_THREADS)
        term = self.values.between(0, MOST_THREADS)
        self.facts.append(term < self.team)
        return term

    def launched(self, cursor: Cursor) -> Term | None:
        """Return the index of a thread or a block, or how many there are."""
        base = next(iter(cursor.get_children()), None)
        base = None if base is None else clang.bare(base)
        bound = None if base is None else _INDICES.get(base.spelling)
        if (
            base is None
            or bound is None
            or base.kind is not CursorKind.DECL_REF_EXPR
            or base.referenced is None
        ):
            return None
        if base.referenced.semantic_parent.kind is CursorKind.FUNCTION_DECL:
            return None
        count = self._count(f"{bound}.{cursor.spelling}")
        if base.spelling == bound:
            return count
        name = f"{base.spelling}.{cursor.spelling}"
        if name not in self._given:
            self._given[name] = self.values.between(0, MOST_OF_LAUNCHES["gridDim"])
            self.facts.append(self._given[name] < count)
            if base.spelling == "blockIdx" and self._premises.few:
                threads = self._count(f"blockDim.{cursor.spelling}")
                before = self._given[name] * threads
                self.facts.extend((before >= 0, before + threads <= MOST_THREADS))
        return self._given[name]

    def _count(self, name: str) -> Term:
        """Return how many blocks there are, or threads of each."""
        if name not in self._given:
            said = self._premises.launch.get(name)
            term = self.values.between(1, MOST_OF_LAUNCHES[name.partition(".")[0]])
            text = said.text if isinstance(said, Wrapped) else said
            known = self.bound(text) if isinstance(text, str) else text
            if known is not None:
                wraps = isinstance(said, Wrapped)
                self.values.facts.append((known - term) % _WRAPS == 0 if wraps else term == known)
            self._given[name] = term
        return self._given[name]

    def related(self, relations: Iterable[str]) -> Iterator[Term]:
        """Yield relations of a contract over the parameters, those of simple bounds."""
        for relation in relations:
            match expressions.parse(relation):
                case expressions.Binary(sign, left, right) if sign in _COMPARISONS:
                    first, second = (self.bound(expressions.to_text(item)) for item in (left, right))
                    if first is not None and second is not None:
                        yield _COMPARISONS[sign](first, second)

    def bound(self, text: str) -> Term | None:
        """Return a bound of a contract over the parameters; None where it is not a simple one."""
        node = expressions.parse(text)
        match node:
            case expressions.Number(value):
                return z3.IntVal(value)
            case expressions.Name(name):
                return self._given.get(name)
            case expressions.Binary(sign, left, right) if sign in ("+", "-", "*"):
                first, second = (self.bound(expressions.to_text(item)) for item in (left, right))
                if first is None or second is None:
                    return None
                return {"+": first + second, "-": first - second, "*": first * second}[sign]
            case expressions.Binary("/" | "%" as sign, left, right) if (divisor := _constant(right)) > 0:
                top = self.bound(expressions.to_text(left))
                return None if top is None else _divided(sign, top, divisor)
        return None


def _divided(sign: str, top: Term, divisor: int) -> Term:
    """Return a quotient or a rest as C has them, rounded towards 0; z3 rounds down."""
    if sign == "/":
        return z3.If(top < 0, -(-top / divisor), top / divisor)
    return z3.If(top < 0, -(-top % divisor), top % divisor)


def _constant(node: expressions.Node) -> int:
    """Return the value of an expression without names, 0 where it has none."""
    try:
        return expressions.evaluate(expressions.to_text(node), {})
    except expressions.ExpressionError:
        return 0
