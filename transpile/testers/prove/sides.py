"""Both sides of a proof: where a thread of the source begins, and where the translation does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import z3

from transpile.core import Contract, Covers, Scalar
from transpile.expressions import Apply, ExpressionError, Node, parse
from transpile.expressions import Binary as BinaryNode
from transpile.expressions import Name as NameNode
from transpile.expressions import Number as NumberNode
from transpile.testers.prove.arithmetic import Arithmetic, Term, bounds, unknowns
from transpile.testers.prove.execution import Executor
from transpile.testers.prove.launch import Indices, complete, indices
from transpile.testers.prove.nest import Nest
from transpile.testers.prove.state import BREAK, RETURN, Pointer, State, Threads, Value
from transpile.testers.prove.tree import (
    Binary,
    Builtin,
    Convert,
    Expression,
    Literal,
    Name,
    NotModelled,
    Routine,
)

_LETTERS = ("x", "y", "z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """What is translated, as a tree, and what its calls respect."""

    source: Routine
    contract: Contract

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the kernel's parameters."""
        return tuple(key.partition("@")[0] for key, _ in self.source.parameters)

    def indices(self) -> Indices:
        """Return what may serve as the index of a thread."""
        return indices(self.source.builtins)

    def start(self, executor: Executor) -> State:
        """Return the state in which a thread of the source begins."""
        elements = {key.partition("@")[0]: kind for key, kind in self.source.elements}
        variables: dict[str, Value | Pointer] = {}
        memory: dict[str, Term] = {}
        for key, kind in self.source.parameters:
            name = key.partition("@")[0]
            if kind is None:
                memory[name] = _memory(executor.arithmetic, name, elements[name])
                zero = executor.arithmetic.integer(0, Scalar.INT64)
                variables[key] = Pointer(name, zero, elements[name])
            else:
                variables[key] = Value(executor.arithmetic.constant(f"parameter {name}", kind), kind)
        down = Value(z3.BoolVal(False), Scalar.BOOL)
        return State({**variables, BREAK: down, RETURN: down}, memory, z3.BoolVal(True))

    def law(self, executor: Executor, threads: Threads) -> list[Term]:
        """Return what the launch law tells of the numbers of threads."""
        law = self.contract.law
        if not isinstance(law, Covers):
            return []
        asked = {"flat": law.x} if law.joint else dict(zip(_LETTERS, (law.x, law.y, law.z), strict=True))
        known = {key.partition("@")[0]: key for key, _ in self.source.parameters}
        types = {name: kind for (_, kind), name in zip(self.source.parameters, self.names, strict=True)}
        begun = self.start(executor)
        facts: list[Term] = []
        for name, text in asked.items():
            if name not in threads.used or _factors(parse(text)) > 2:
                continue
            try:
                wanted = executor.evaluate(expression(text, known, types), begun)
            except NotModelled:  # to know less is never wrong
                continue
            assert isinstance(wanted, Value)
            reached = executor.arithmetic.compare("<=", Scalar.INT64, wanted.term, threads.count(name))
            facts.append(reached)
        return facts

    def told_apart(self, threads: Threads, terms: Sequence[Term]) -> tuple[str, ...]:
        """Return the indices on which what a thread does depends.

        Raises:
            NotModelled: Threads that differ may have the same ones.
        """
        seen = unknowns(terms)
        used = tuple(sorted(name for name, term in threads.used.items() if term.get_id() in seen))
        if not complete(used, self.source.builtins):
            raise NotModelled("indices of threads of an unusual form")
        return used


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides(Original):
    """A kernel and its translation, as trees, and what calls respect."""

    candidate: Routine
    arguments: tuple[str, ...]
    """Of the translation, as expressions over the kernel's parameters and its launch."""

    def candidate_start(self, executor: Executor) -> State:
        """Return the state in which the translation begins: its parameters are what the binding passes."""
        begun = self.start(executor)
        known = {key.partition("@")[0]: key for key, _ in self.source.parameters}
        elements = dict(self.candidate.elements)
        if len(self.arguments) != len(self.candidate.parameters):
            raise NotModelled("a translation with other parameters than its binding")
        variables: dict[str, Value | Pointer] = {}
        types = {name: kind for (_, kind), name in zip(self.source.parameters, self.names, strict=True)}
        for text, (key, kind) in zip(self.arguments, self.candidate.parameters, strict=True):
            if kind is None:
                pointer = begun.variables.get(known.get(text, ""))
                if not isinstance(pointer, Pointer) or pointer.element is not elements[key]:
                    raise NotModelled(f"the argument `{text}`")
                variables[key] = pointer
            else:
                value = executor.evaluate(Convert(expression(text, known, types), kind), begun)
                assert isinstance(value, Value)
                if text not in known and value.launch not in executor.threads.indices.count:
                    raise NotModelled(f"the argument `{text}`")
                variables[key] = value
        flags = {name: begun.variables[name] for name in (BREAK, RETURN)}
        return State({**variables, **flags}, begun.memory, z3.BoolVal(True))

    def covering(self) -> tuple[str, ...]:
        """Return what a launch must cover, for people."""
        law = self.contract.law
        if not isinstance(law, Covers):
            return ()
        if law.joint:
            return (f"a launch has at least {law.x} threads",)
        axes = zip(_LETTERS, (law.x, law.y, law.z), strict=True)
        return tuple(
            f"a launch has at least {text} threads along {name}" for name, text in axes if text != "1"
        )


def ranges(arithmetic: Arithmetic, threads: Threads) -> list[Term]:
    """Return where the indices of a thread lie."""
    below = [
        arithmetic.compare("<", Scalar.INT64, term, threads.count(name))
        for name, term in threads.used.items()
        if name not in threads.strides
    ]
    return [*below, *threads.facts]


def within(arithmetic: Arithmetic, threads: Threads, name: str, term: Term) -> Term:
    """Return whether a 64-bit number is one that an index of that name may be."""
    low = arithmetic.compare("<=", Scalar.INT64, arithmetic.integer(0, Scalar.INT64), term)
    kind = threads.strides.get(name)
    if kind is None:
        return z3.And(low, arithmetic.compare("<", Scalar.INT64, term, threads.count(name)))
    highest = arithmetic.integer(min(bounds(kind)[1], bounds(Scalar.INT64)[1]), Scalar.INT64)
    return z3.And(low, arithmetic.compare("<=", Scalar.INT64, term, highest))


def counters(nest: Nest, arithmetic: Arithmetic, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return 64-bit indices as values of the counters of a nest."""
    return tuple(
        arithmetic.convert(term, Scalar.INT64, level.type)
        for level, term in zip(nest.levels, terms, strict=True)
    )


def expression(text: str, keys: dict[str, str], types: dict[str, Scalar | None]) -> Expression:
    """Return an expression of a contract or a binding as a tree, computed in 64 bits."""
    try:
        return _tree(parse(text), lambda name: _leaf(name, keys, types))
    except ExpressionError:
        raise NotModelled(f"the expression `{text}`") from None


def _leaf(name: str, keys: dict[str, str], types: dict[str, Scalar | None]) -> Expression:
    kind = types.get(name)
    if kind is not None:
        value = Name(keys[name], kind)
        return value if kind.floating else Convert(value, Scalar.INT64)
    if name.partition(".")[0] in ("gridDim", "blockDim"):
        return Convert(Builtin(name), Scalar.INT64)
    raise NotModelled(f"the name {name} in a contract")


def _tree(node: Node, leaf: Callable[[str], Expression]) -> Expression:
    match node:
        case NumberNode(value):
            return Literal(value, Scalar.INT64)
        case NameNode(text):
            return leaf(text)
        case BinaryNode(operator, left, right) if operator in ("+", "-", "*", "/", "%"):
            first, second = _tree(left, leaf), _tree(right, leaf)
            return Binary(operator, first, second, Scalar.INT64)
        case _:
            raise NotModelled("an expression of a contract")


def _factors(node: Node) -> int:
    match node:
        case BinaryNode("*", left, right):
            return _factors(left) + _factors(right)
        case BinaryNode(_, left, right):
            return max(_factors(left), _factors(right))
        case Apply(_, arguments):
            return max(_factors(item) for item in arguments)
        case _:
            return 1


def _memory(arithmetic: Arithmetic, name: str, kind: Scalar) -> Term:
    sort = z3.ArraySort(arithmetic.sort(Scalar.INT64), arithmetic.sort(kind))
    return z3.Const(f"memory {name}", sort)
