"""The loops of a translation that stand for the threads of a launch, and the directive above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import z3

from transpile.core import Scalar
from transpile.testers.prove.arithmetic import Term, unsigned, width
from transpile.testers.prove.execution import Executor
from transpile.testers.prove.state import State, Value
from transpile.testers.prove.tree import (
    Assign,
    Binary,
    Convert,
    Declare,
    Evaluate,
    Exit,
    Expression,
    If,
    Inlined,
    Literal,
    Loop,
    Name,
    NotModelled,
    Routine,
    Statement,
    assigned,
    breaks,
    reads,
    walk,
)

_CLAUSE = re.compile(r"\s*,?\s*(\w+)\s*(?:\(([^()]*)\))?")
_HARMLESS = ("schedule", "num_threads", "default", "shared", "firstprivate", "if", "proc_bind")
_COUNTERS = (Scalar.INT32, Scalar.UINT32, Scalar.INT64, Scalar.UINT64)
_KEYWORDS = ("parallel", "for", "simd")


@dataclass(frozen=True, slots=True)
class Level:
    """A loop that counts upward by one."""

    key: str
    type: Scalar
    low: Expression
    condition: Expression
    between: tuple[Statement, ...]
    """What stands before the next loop, in this one."""


@dataclass(frozen=True, slots=True)
class Nest:
    """Loops within each other, what comes before them, and what each iteration does."""

    before: tuple[Statement, ...]
    levels: tuple[Level, ...]
    body: tuple[Statement, ...]
    private: frozenset[str] = frozenset()
    """Names of variables of which each thread has its own."""

    def iteration(self, executor: Executor, state: State, terms: Sequence[Term]) -> tuple[State, Term]:
        """Return the state after one iteration, and whether there is such an iteration; see ``enter``."""
        state, exists = self.enter(executor, state, terms)
        return executor.run(self.body, state), exists

    def enter(self, executor: Executor, state: State, terms: Sequence[Term]) -> tuple[State, Term]:
        """Return the state at the beginning of an iteration, and whether there is such an iteration.

        Args:
            executor: What executes.
            state: At the beginning of the function.
            terms: The value of each counter, of its type.
        """
        state = executor.run(self.before, state)
        state = replace(state, local=frozenset())
        for key, value in state.variables.items():
            if key.partition("@")[0] in self.private:
                if not isinstance(value, Value):
                    raise NotModelled("a private pointer")
                unknown = executor.arithmetic.constant(executor.fresh("private"), value.type)
                state = _bound(state, key, Value(unknown, value.type))
        exists = z3.BoolVal(True)
        for level, term in zip(self.levels, terms, strict=True):
            low = executor.evaluate(level.low, state)
            assert isinstance(low, Value)
            least = executor.arithmetic.convert(low.term, low.type, level.type)
            state = _bound(state, level.key, Value(term, level.type))
            begun = executor.arithmetic.compare("<=", level.type, least, term)
            exists = z3.And(exists, begun, executor.truth(level.condition, state))
            state = executor.run(level.between, replace(state, path=exists))
        return state, exists


def nest(routine: Routine, depth: int) -> Nest:
    """Return the outermost loops of a function, that many deep.

    Raises:
        NotModelled: The function is of another form, or its iterations share a variable that they change.
    """
    position = next((at for at, item in enumerate(routine.body) if isinstance(item, Loop)), None)
    if position is None:
        raise NotModelled("a translation without a loop")
    before, rest = routine.body[:position], routine.body[position:]
    if len(rest) > 1:
        raise NotModelled("a translation of several steps")
    if reads(before) or any(isinstance(node, If | Loop | Exit) for node in before):
        raise NotModelled("memory that is used outside of the loop")
    levels: list[Level] = []
    (inner,) = rest
    assert isinstance(inner, Loop)
    private, collapsed = clauses(inner.pragma)
    body: tuple[Statement, ...] = (inner,)
    while len(levels) < depth:
        at = next((number for number, item in enumerate(body) if isinstance(item, Loop)), None)
        loop = body[at] if at is not None else None
        if at is None or not isinstance(loop, Loop) or (levels and at + 1 < len(body)):
            raise NotModelled("a translation with fewer loops than the source has indices")
        if levels:
            if reads(body[:at]) or any(isinstance(node, If | Exit) for node in body[:at]):
                raise NotModelled("memory that is used between two loops")
            levels[-1] = replace(levels[-1], between=body[:at])
        levels.append(_level(loop))
        body = loop.body
    if breaks(body):
        raise NotModelled("a loop that ends before its last iteration")
    _refuse_shared(rest, private, [level.key for level in levels[:collapsed]])
    _refuse_directives(rest)
    return Nest(before, tuple(levels), body, private)


def depth(pragma: str) -> int:
    """Return how many loops a directive makes parallel; 0 where there is no directive."""
    return clauses(pragma)[1] if pragma else 0


def directive(routine: Routine) -> str:
    """Return the directive above the first loop of a function, or an empty text."""
    return next((item.pragma for item in routine.body if isinstance(item, Loop)), "")


def clauses(pragma: str) -> tuple[frozenset[str], int]:
    """Return the private variables of a parallel loop and how many loops it collapses.

    Raises:
        NotModelled: It is another directive, or says what proofs do not model.
    """
    private: frozenset[str] = frozenset()
    collapsed = 1
    if not pragma:
        return private, collapsed
    head, _, text = pragma.partition(" ")
    words = text.split("(")[0].split()
    if head != "omp" or words[:2] != ["parallel", "for"]:
        raise NotModelled(f"`#pragma {pragma}`")
    place = 0
    while text[place:].strip():
        match = _CLAUSE.match(text, place)
        if match is None:
            raise NotModelled(f"`#pragma {pragma}`")
        place = match.end()
        name, argument = match[1], match[2]
        if name == "private" and argument:
            private |= {item.strip() for item in argument.split(",")}
        elif name == "collapse" and argument and argument.strip().isdigit():
            collapsed = int(argument)
        elif name not in (_KEYWORDS if argument is None else _HARMLESS):
            raise NotModelled(f"the clause {name}")
    return private, collapsed


def _level(loop: Loop) -> Level:
    """Return a loop as one that counts upward by one to a bound that stays."""
    unusual = NotModelled("a loop that does not count upward by one")
    if len(loop.first) != 1 or len(loop.step) != 1 or loop.condition is None or loop.late:
        raise unusual
    first, step = loop.first[0], loop.step[0]
    if isinstance(first, Declare) and first.value is not None and first.type is not None:
        key, kind, low = first.key, first.type, first.value
    elif isinstance(first, Evaluate) and isinstance(first.expression, Assign):
        node = first.expression
        if not isinstance(node.target, Name) or node.target.type is None or node.operator:
            raise unusual
        key, kind, low = node.target.key, node.target.type, node.value
    else:
        raise unusual
    move = step.expression if isinstance(step, Evaluate) else None
    if not isinstance(move, Assign) or not isinstance(move.target, Name) or move.target.key != key:
        raise unusual
    amount = move.value
    while isinstance(amount, Convert):
        amount = amount.operand
    if move.operator != "+" or not isinstance(amount, Literal) or amount.value != 1 or kind.floating:
        raise unusual
    _refuse_bound(loop, key, kind, low)
    if key in assigned(loop.body) or reads(low, loop.condition):
        raise NotModelled("a loop whose bounds are read from memory or change")
    return Level(key, kind, low, loop.condition, ())


def _refuse_bound(loop: Loop, key: str, kind: Scalar, low: Expression) -> None:
    """Refuse conditions under which the numbers from the start to the last are not one range."""
    condition = loop.condition
    unusual = NotModelled("a loop with an unusual condition")
    if not isinstance(condition, Binary) or condition.operator not in ("<", "<="):
        raise unusual
    left = condition.left
    compared = kind
    if isinstance(left, Convert):
        compared, left = left.type, left.operand
    if not isinstance(left, Name) or left.key != key or kind not in _COUNTERS or compared not in _COUNTERS:
        raise unusual
    if width(compared) < width(kind) or (condition.operator == "<=" and unsigned(compared)):
        raise unusual
    if unsigned(compared) and not unsigned(kind) and not (isinstance(low, Literal) and low.value >= 0):
        raise unusual
    names = {node.key for node in walk(condition.right) if isinstance(node, Name)}
    if names & {key, *assigned(loop.body)}:
        raise NotModelled("a loop whose bounds are read from memory or change")


def _refuse_shared(rest: tuple[Statement, ...], private: frozenset[str], counters: Sequence[str]) -> None:
    """Refuse variables from outside that iterations change: their order would matter."""
    own = {node.key for node in walk(rest) if isinstance(node, Declare)} | {*counters}
    own |= {key for node in walk(rest) if isinstance(node, Inlined) for key, _ in node.parameters}
    for key in assigned(rest):
        name = key.partition("@")[0]
        if key not in own and name not in private:
            raise NotModelled(f"the variable {name} is shared by all iterations, which change it")


def _refuse_directives(rest: tuple[Statement, ...]) -> None:
    inner = [node.pragma for node in walk(rest) if isinstance(node, Loop)][1:]
    found = next((pragma for pragma in inner if pragma), "")
    if found:
        raise NotModelled(f"`#pragma {found}` within another loop")


def _bound(state: State, key: str, value: Value) -> State:
    return replace(state, variables={**state.variables, key: value})
