"""What one iteration leaves behind: memory as arrays of z3, loops as functions of what they begin with.

A loop is a function of the values that it starts from. Two loops whose condition, whose next values and whose
accesses are the same terms are the same function: by induction they run in lockstep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import z3

from transpile.core import Scalar
from transpile.testers.prove.arithmetic import Arithmetic, Term, unknowns
from transpile.testers.prove.execution import (
    BREAK,
    RETURN,
    Executor,
    Pointer,
    State,
    Threads,
    Value,
    flag,
    flagged,
)
from transpile.testers.prove.tree import Loop, NotModelled, assigned


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that goes wrong for some operands: an access, a division, a loop that does not end."""

    path: Term
    kind: str
    operands: tuple[Term, ...]


@dataclass(slots=True)
class Loops:
    """The different loops that were met; each is a function of its own."""

    known: list[tuple[str, tuple[Term, ...]]] = field(default_factory=list)

    def number(self, form: str, terms: tuple[Term, ...]) -> int:
        """Return the number of a loop: the same for loops of the same form and terms."""
        for number, (other, others) in enumerate(self.known):
            if form == other and all(first.eq(second) for first, second in zip(terms, others, strict=True)):
                return number
        self.known.append((form, terms))
        return len(self.known) - 1


class Exact(Executor):
    """Executes one iteration; its effects are noted beside the state."""

    def __init__(self, arithmetic: Arithmetic, threads: Threads, loops: Loops) -> None:
        """Begin with no effects; ``loops`` is shared by all that is compared."""
        super().__init__(arithmetic, threads)
        self.effects: list[Effect] = []
        self._loops = loops
        self._depth = 0

    def load(self, pointer: Pointer, state: State) -> Term:
        """Return what memory holds now."""
        self._note("load", pointer, state)
        return z3.Select(state.memory[pointer.array], pointer.offset)

    def store(self, pointer: Pointer, term: Term, state: State) -> State:
        """Return the state with memory changed."""
        self._note("store", pointer, state)
        changed = z3.Store(state.memory[pointer.array], pointer.offset, term)
        return replace(state, memory={**state.memory, pointer.array: changed})

    def divide(self, kind: Scalar, divisor: Term, state: State) -> None:
        """Note the divisor."""
        self.effects.append(Effect(state.path, f"divide {kind.value}", (divisor,)))

    def _note(self, what: str, pointer: Pointer, state: State) -> None:
        array = "a local array" if pointer.array in state.local else pointer.array
        self.effects.append(Effect(state.path, f"{what} {array}", (pointer.offset,)))

    def loop(self, loop: Loop, state: State) -> State:
        """Return the state after a loop, as functions of the state before it."""
        keys = [key for key in assigned(loop.condition, loop.body, loop.step) if key in state.variables]
        self._depth += 1
        outside, self.effects = self.effects, []
        try:
            begin = self._unknown(state, keys)
            after, test = self._round(loop, begin)
            inside = self.effects
        finally:
            self._depth -= 1
            self.effects = outside
        arrays = [name for name in state.memory if not after.memory[name].eq(begin.memory[name])]
        return self._summary(_Round(loop, keys, arrays, begin, after, test, inside), state)

    def _unknown(self, state: State, keys: Sequence[str]) -> State:
        """Return the state in which a round begins: what the loop changes is unknown."""
        level = f"loop {self._depth}"
        variables = dict(state.variables)
        for number, key in enumerate(keys):
            variables[key] = self._renamed(variables[key], f"{level} variable {number}")
        names = _names(state)
        memory = {
            name: z3.Const(f"{level} {names[name]} {term.sort()}", term.sort())
            for name, term in state.memory.items()
        }
        begin = replace(state, variables=variables, memory=memory, path=z3.BoolVal(True))
        return flagged(flagged(begin, BREAK, up=False), RETURN, up=False)

    def _renamed(self, value: Value | Pointer, name: str) -> Value | Pointer:
        if isinstance(value, Pointer):
            return replace(value, offset=self.arithmetic.constant(f"{name} int64", Scalar.INT64))
        return Value(self.arithmetic.constant(f"{name} {value.type.value}", value.type), value.type)

    def _round(self, loop: Loop, begin: State) -> tuple[State, Term]:
        """Return the state after one round, and the condition on which there is another."""
        always = z3.BoolVal(True)
        if loop.condition is None:
            raise NotModelled("a loop without a condition")
        test = always if loop.late else self.truth(loop.condition, begin)
        after = self.run(loop.body, begin if loop.late else replace(begin, path=test))
        left = z3.simplify(z3.Or(flag(after, BREAK), flag(after, RETURN)))
        after = self.run(loop.step, after) if z3.is_false(left) else self._branch(left, (), loop.step, after)
        return after, self.truth(loop.condition, after) if loop.late else test

    def _summary(self, done: _Round, state: State) -> State:
        before = [_term(done.begin.variables[key]) for key in done.keys]
        starts = [_term(state.variables[key]) for key in done.keys]
        nexts = [_term(done.after.variables[key]) for key in done.keys]
        left = [flag(done.after, BREAK), flag(done.after, RETURN)]
        stored = [done.after.memory[name] for name in done.arrays]
        accesses = [term for effect in done.effects for term in (effect.path, *effect.operands)]
        terms = tuple(z3.simplify(term) for term in (done.test, *left, *nexts, *stored, *accesses))
        names = _names(state)
        form = repr(
            (
                done.loop.late,
                [_shape(state.variables[key]) for key in done.keys],
                [names[name] for name in done.arrays],
                [(effect.kind, len(effect.operands)) for effect in done.effects],
            )
        )
        number = self._loops.number(form, terms)
        # What no next value, no condition and no access depends on is no input of the loop.
        given = unknowns(terms)
        inputs = [start for old, start in zip(before, starts, strict=True) if old.get_id() in given]
        inputs += [state.memory[name] for name, old in done.begin.memory.items() if old.get_id() in given]
        own = {term.get_id() for term in (*before, *done.begin.memory.values())}
        free = (term for identity, term in given.items() if identity not in own)
        inputs += sorted(free, key=lambda term: term.decl().name())
        self.effects.append(Effect(state.path, f"loop {number}", tuple(inputs)))

        def result(name: str, start: Term) -> Term:
            operands = (*inputs, start)
            function = z3.Function(f"loop {number} {name}", *(item.sort() for item in operands), start.sort())
            return function(*operands)

        variables = dict(state.variables)
        for position, (key, start) in enumerate(zip(done.keys, starts, strict=True)):
            variables[key] = _with_term(variables[key], result(f"variable {position}", start))
        if not z3.is_false(z3.simplify(left[1])):
            variables[RETURN] = Value(result("return", z3.BoolVal(False)), Scalar.BOOL)
        memory = dict(state.memory)
        for name in done.arrays:
            memory[name] = result(names[name], memory[name])
        return replace(state, variables=variables, memory=memory)


@dataclass(frozen=True, slots=True)
class _Round:
    """One round of a loop, from unknown values to the next ones."""

    loop: Loop
    keys: list[str]
    arrays: list[str]
    begin: State
    after: State
    test: Term
    effects: list[Effect]


def _names(state: State) -> dict[str, str]:
    """Return names of arrays that do not depend on what the text calls its own ones."""
    own = [name for name in state.memory if name in state.local]
    return {name: f"local {own.index(name)}" if name in own else f"array {name}" for name in state.memory}


def _term(value: Value | Pointer) -> Term:
    return value.offset if isinstance(value, Pointer) else value.term


def _with_term(value: Value | Pointer, term: Term) -> Value | Pointer:
    return replace(value, offset=term) if isinstance(value, Pointer) else Value(term, value.type)


def _shape(value: Value | Pointer) -> str:
    return f"into {value.array}" if isinstance(value, Pointer) else value.type.value
