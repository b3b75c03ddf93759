"""Symbolic execution: statements of a tree over terms of z3.

``Executor`` knows C's rules. What memory is, and what a loop does to it, its two heirs say: ``exact``
computes what an iteration leaves behind, ``footprint`` what it may touch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from itertools import count

import z3

from transpile.core import Scalar
from transpile.testers.prove.arithmetic import Arithmetic, Term
from transpile.testers.prove.launch import Sum, product, total
from transpile.testers.prove.state import (
    RETURN,
    Pointer,
    State,
    Threads,
    Value,
    flag,
    flagged,
    merged,
)
from transpile.testers.prove.tree import (
    Address,
    Assign,
    Binary,
    Builtin,
    Call,
    Choice,
    Convert,
    Declare,
    Element,
    Evaluate,
    Exit,
    Expression,
    If,
    Inlined,
    Literal,
    Loop,
    Name,
    NotModelled,
    Statement,
    Unary,
    ascends,
    assigned,
    breaks,
    leaves,
    reads,
)

_RISKY = ("+", "-", "*", "/", "%", "<<", ">>")
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
_NUMBERS = count()
_MOST_STEPS = 4000
"""Statements that are executed before a text counts as too large."""


class Executor(ABC):
    """Executes statements; see the module."""

    def __init__(self, arithmetic: Arithmetic, threads: Threads) -> None:
        """Begin with nothing executed."""
        self.arithmetic = arithmetic
        self.threads = threads
        self._steps = 0

    # ------------------------------------------------------------------------------------- what heirs say

    @abstractmethod
    def load(self, pointer: Pointer, state: State) -> Term:
        """Return what an element holds."""

    @abstractmethod
    def store(self, pointer: Pointer, term: Term, state: State) -> State:
        """Return the state with an element overwritten."""

    @abstractmethod
    def loop(self, loop: Loop, state: State) -> State:
        """Return the state after a loop."""

    @abstractmethod
    def risk(self, operator: str, kind: Scalar, left: Term, right: Term, state: State) -> None:
        """Take note of an operation on integers that is undefined for some operands."""

    # --------------------------------------------------------------------------------------- statements

    def run(self, statements: tuple[Statement, ...], state: State) -> State:
        """Return the state after statements; what follows an exit is not executed on that path."""
        for number, statement in enumerate(statements):
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise NotModelled("the text is too large")
            rest = statements[number + 1 :]
            match statement:
                case Exit(kind):
                    return state if kind == "continue" else flagged(state, f"#{kind}")
                case If(condition, yes, no):
                    test = self.truth(condition, state)
                    if leaves((statement,)):
                        return self._branch(test, (*yes, *rest), (*no, *rest), state)
                    state = self._branch(test, yes, no, state)
                case Loop():
                    started = self.run(statement.first, state)
                    stride = self._stride(statement, started, rest)
                    over = (
                        self._strided(statement, stride, started) if stride else self.loop(statement, started)
                    )
                    kept = {key: over.variables[key] for key in state.variables}
                    state = replace(over, variables=kept, path=state.path)
                case Declare():
                    state = self._declare(statement, state)
                case Evaluate(expression):
                    state = self._effect(expression, state)
            gone = flag(state, RETURN)
            if rest and not z3.is_false(gone):
                return self._branch(gone, (), rest, state)
        return state

    def _branch(
        self, test: Term, yes: tuple[Statement, ...], no: tuple[Statement, ...], state: State
    ) -> State:
        taken = self.run(yes, replace(state, path=_both(state.path, test)))
        other = self.run(no, replace(state, path=_both(state.path, z3.Not(test))))
        return merged(test, taken, other, state)

    def _declare(self, statement: Declare, state: State) -> State:
        key, kind = statement.key, statement.type
        if statement.elements:
            assert kind is not None
            sort = z3.ArraySort(self.arithmetic.sort(Scalar.INT64), self.arithmetic.sort(kind))
            memory = {**state.memory, key: z3.Const(self.fresh("uninitialised"), sort)}
            pointer = Pointer(key, self.arithmetic.integer(0, Scalar.INT64), kind)
            variables = {**state.variables, key: pointer}
            return replace(state, memory=memory, variables=variables, local=state.local | {key})
        if statement.value is not None:
            value = self.evaluate(statement.value, state)
            if kind is None and not isinstance(value, Pointer):
                raise NotModelled("a pointer made of a number")
            return replace(state, variables={**state.variables, key: value})
        if kind is None:
            raise NotModelled("a pointer without a value")
        unknown = Value(self.arithmetic.constant(self.fresh("uninitialised"), kind), kind)
        return replace(state, variables={**state.variables, key: unknown})

    def _effect(self, expression: Expression, state: State) -> State:
        if isinstance(expression, Assign):
            return self._assign(expression, state)[0]
        if isinstance(expression, Inlined):
            return self._inline(expression, state)[0]
        self.evaluate(expression, state)
        return state

    def _assign(self, node: Assign, state: State) -> tuple[State, Value | Pointer]:
        if isinstance(node.value, Assign):
            state, right = self._assign(node.value, state)
        elif isinstance(node.value, Convert) and isinstance(node.value.operand, Assign):
            state, inner = self._assign(node.value.operand, state)
            right = self._converted(self._number(inner), node.value.type)
        else:
            right = self.evaluate(node.value, state)
        target = node.target
        if isinstance(target, Name) and target.type is None:
            return self._move(target, node.operator, right, state)
        assert target.type is not None
        value = self._number(right)
        if node.operator:
            assert node.type is not None
            old = self._converted(self._number(self.evaluate(target, state)), node.type)
            value = self._operate(node.operator, node.type, old, self._converted(value, node.type), state)
        value = self._converted(value, target.type)
        if isinstance(target, Name):
            return replace(state, variables={**state.variables, target.key: value}), value
        return self.store(self._place(target, state), value.term, state), value

    def _move(
        self, target: Name, operator: str, right: Value | Pointer, state: State
    ) -> tuple[State, Value | Pointer]:
        if operator:
            pointer = self._pointer(target, state)
            right = self._shifted(pointer, self._number(right), operator == "-")
        if not isinstance(right, Pointer):
            raise NotModelled("a pointer made of a number")
        return replace(state, variables={**state.variables, target.key: right}), right

    def _inline(self, call: Inlined, state: State) -> tuple[State, Value | Pointer | None]:
        given = [self.evaluate(argument, state) for argument in call.arguments]
        if len(given) != len(call.parameters):
            raise NotModelled(f"default arguments of {call.name}")
        bound = {key: value for (key, _), value in zip(call.parameters, given, strict=True)}
        after = self.run(call.body, replace(state, variables={**state.variables, **bound}))
        result = None if call.result is None else self.evaluate(call.result, after)
        kept = {key: after.variables[key] for key in state.variables}
        return replace(after, variables=kept, local=state.local), result

    # ------------------------------------------------------------------- loops that stride over the grid

    def _stride(self, loop: Loop, state: State, rest: tuple[Statement, ...]) -> str:
        """Return the index that a loop runs over together with all threads, or an empty text."""
        parts = (loop.step, loop.body)
        if not loop.step and loop.body and isinstance(loop.body[-1], Evaluate):
            parts = ((loop.body[-1],), loop.body[:-1])
        step = parts[0][0] if len(parts[0]) == 1 else None
        if not isinstance(step, Evaluate) or not isinstance(step.expression, Assign) or loop.late:
            return ""
        node = step.expression
        if not isinstance(node.target, Name) or node.operator != "+":
            return ""
        start = state.variables.get(node.target.key)
        if not isinstance(start, Value) or start.launch is None or reads(node.value):
            return ""
        by = self.evaluate(node.value, state)
        if not isinstance(by, Value):
            return ""
        own = self.threads.indices.own.get(start.launch, "")
        if not own or by.launch is None or self.threads.indices.count.get(by.launch) != own:
            return ""
        carried = {*assigned(parts[1]), *assigned(loop.condition)} & state.variables.keys()
        if rest or carried or state.local or not z3.is_true(state.path) or breaks(parts[1]):
            raise NotModelled("a loop over the grid that carries something from one round to the next")
        return own

    def _strided(self, loop: Loop, index: str, state: State) -> State:
        """Execute one round, for any number that any thread's loop may reach."""
        step = loop.step or loop.body[-1:]
        body = loop.body if loop.step else loop.body[:-1]
        (node,) = (item.expression for item in step if isinstance(item, Evaluate))
        assert isinstance(node, Assign) and isinstance(node.target, Name) and node.target.type is not None
        if loop.condition is None or not ascends(loop.condition, node.target.key):
            raise NotModelled("a loop over the grid with an unusual condition")
        kind = node.target.type
        term = self.arithmetic.convert(self.threads.over_all(index, kind), Scalar.INT64, kind)
        variables = {**state.variables, node.target.key: Value(term, kind)}
        return self.run((If(loop.condition, body, ()),), replace(state, variables=variables))

    # -------------------------------------------------------------------------------------- expressions

    def truth(self, expression: Expression, state: State) -> Term:
        """Return a condition as a truth value."""
        return self._converted(self._number(self.evaluate(expression, state)), Scalar.BOOL).term

    def evaluate(self, expression: Expression, state: State) -> Value | Pointer:
        """Return the value of an expression."""
        match expression:
            case Literal(value, kind):
                return Value(self.arithmetic.literal(value, kind), kind)
            case Name(key, _):
                if key not in state.variables:
                    raise NotModelled(f"the value of {key.partition('@')[0]}")
                return state.variables[key]
            case Builtin(name, kind):
                return self._launch(frozenset({(name,)}), kind)
            case Element(_, _, kind):
                return Value(self.load(self._place(expression, state), state), kind)
            case Address(_, index, negative):
                pointer = self._pointer(expression.pointer, state)
                return self._shifted(pointer, self._number(self.evaluate(index, state)), negative)
            case Unary(operator, operand, kind):
                return self._unary(operator, self._number(self.evaluate(operand, state)), kind, state)
            case Binary():
                return self._binary(expression, state)
            case Convert(operand, kind):
                return self._converted(self._number(self.evaluate(operand, state)), kind)
            case Choice():
                return self._choice(expression, state)
            case Call(name, arguments, kind):
                given = [self._number(self.evaluate(item, state)) for item in arguments]
                return self._call(name, given, kind)
            case Inlined():
                _, result = self._inline(expression, state)
                if result is None:
                    raise NotModelled(f"the value of {expression.name}")
                return result
            case Assign():
                raise NotModelled("an assignment within an expression")

    def _launch(self, launch: Sum, kind: Scalar) -> Value:
        """Return a sum of launch quantities: an index, a count, or else something unknown."""
        own = self.threads.indices.own.get(launch)
        counted = self.threads.indices.count.get(launch)
        if own is not None:
            term = self.threads.index(own)
        elif counted is not None:
            term = self.threads.count(counted)
        else:
            # Nothing is known of it, not even that it is the same in two places.
            return Value(self.arithmetic.constant(self.fresh("launch"), kind), kind, launch)
        return Value(self.arithmetic.convert(term, Scalar.INT64, kind), kind, launch)

    def _unary(self, operator: str, value: Value, kind: Scalar, state: State) -> Value:
        if operator == "!":
            return Value(z3.Not(self._converted(value, Scalar.BOOL).term), Scalar.BOOL)
        value = self._converted(value, kind)
        if operator == "-":
            if not kind.floating:
                self.risk("-", kind, self.arithmetic.integer(0, kind), value.term, state)
            return Value(self.arithmetic.negative(kind, value.term), kind)
        ones = self.arithmetic.integer(-1, kind)
        return Value(self.arithmetic.binary("^", kind, value.term, ones), kind)

    def _binary(self, node: Binary, state: State) -> Value:
        if node.operator in ("&&", "||"):
            test = self.truth(node.left, state)
            reached = test if node.operator == "&&" else z3.Not(test)
            right = self.truth(node.right, replace(state, path=_both(state.path, reached)))
            return Value((z3.And if node.operator == "&&" else z3.Or)(test, right), Scalar.BOOL)
        left = self._number(self.evaluate(node.left, state))
        right_value = self._number(self.evaluate(node.right, state))
        if node.operator in _COMPARISONS:
            if left.type is not right_value.type:
                raise NotModelled("a comparison of different types")
            term = self.arithmetic.compare(node.operator, left.type, left.term, right_value.term)
            return Value(term, Scalar.BOOL)
        right_value = self._converted(right_value, node.type)
        return self._operate(node.operator, node.type, self._converted(left, node.type), right_value, state)

    def _operate(self, operator: str, kind: Scalar, left: Value, right: Value, state: State) -> Value:
        if kind is Scalar.BOOL:
            raise NotModelled(f"{operator} of truth values")
        if operator in _RISKY and not kind.floating:
            self.risk(operator, kind, left.term, right.term, state)
        if left.launch is not None and right.launch is not None and operator in ("+", "*"):
            launch = (total if operator == "+" else product)(left.launch, right.launch)
            if launch is not None and kind.value.endswith(("32", "64")) and not kind.floating:
                return self._launch(launch, kind)
        return Value(self.arithmetic.binary(operator, kind, left.term, right.term), kind)

    def _choice(self, node: Choice, state: State) -> Value:
        test = self.truth(node.condition, state)
        taken = replace(state, path=_both(state.path, test))
        other = replace(state, path=_both(state.path, z3.Not(test)))
        yes = self._converted(self._number(self.evaluate(node.yes, taken)), node.type)
        no = self._converted(self._number(self.evaluate(node.no, other)), node.type)
        return Value(z3.If(test, yes.term, no.term), node.type)

    def _call(self, name: str, given: list[Value], kind: Scalar) -> Value:
        function = name.partition("(")[0].removeprefix("std::")
        if function in ("min", "max") and not kind.floating and len(given) == 2:
            left, right = given
            if left.type is right.type is kind:
                less = self.arithmetic.compare("<", kind, left.term, right.term)
                first, second = (left, right) if function == "min" else (right, left)
                return Value(z3.If(less, first.term, second.term), kind)
        return Value(self.arithmetic.apply(name, kind, *(item.term for item in given)), kind)

    # ------------------------------------------------------------------------------------------- pieces

    def fresh(self, name: str) -> str:
        """Return a name that no other unknown has."""
        return f"{name} {next(_NUMBERS)}"

    def _number(self, value: Value | Pointer) -> Value:
        if isinstance(value, Pointer):
            raise NotModelled("a pointer used as a number")
        return value

    def _converted(self, value: Value, kind: Scalar) -> Value:
        term = self.arithmetic.convert(value.term, value.type, kind)
        whole = not kind.floating and kind.value.endswith(("32", "64"))
        return Value(term, kind, value.launch if whole else None)

    def _pointer(self, expression: Expression, state: State) -> Pointer:
        value = self.evaluate(expression, state)
        if not isinstance(value, Pointer):
            raise NotModelled("a pointer made of a number")
        return value

    def _place(self, node: Element, state: State) -> Pointer:
        pointer = self._pointer(node.pointer, state)
        if pointer.element is not node.type:
            raise NotModelled("memory that is read as another type")
        return self._shifted(pointer, self._number(self.evaluate(node.index, state)), False)

    def _shifted(self, pointer: Pointer, by: Value, negative: bool) -> Pointer:
        arithmetic = self.arithmetic
        distance = arithmetic.convert(by.term, by.type, Scalar.INT64)
        operator = "-" if negative else "+"
        moved = z3.simplify(arithmetic.binary(operator, Scalar.INT64, pointer.offset, distance))
        return replace(pointer, offset=moved)


def _both(path: Term, test: Term) -> Term:
    return test if z3.is_true(path) else z3.And(path, test)
