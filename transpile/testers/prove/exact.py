"""Final state of one iteration: memory as arrays of z3, loops as functions of what they begin with.

A loop is a function of the values that it starts from. Two loops whose condition, whose next values and whose
accesses are the same terms are the same function: by induction they run in lockstep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import z3

from transpile.core import Scalar
from transpile.testers.prove.arithmetic import Arithmetic, Term, undefined, unknowns
from transpile.testers.prove.execution import Executor
from transpile.testers.prove.state import BREAK, RETURN, Pointer, State, Threads, Value, flag, flagged
from transpile.testers.prove.tree import Loop, NotModelled, assigned


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that goes wrong for some operands: an access, a division, a loop that does not end."""

    path: Term
    kind: str
    operands: tuple[Term, ...]
    danger: Term | None = None
    """When an operation goes wrong; None for what the source may do with these operands only."""


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

    def risk(self, operator: str, kind: Scalar, left: Term, right: Term, state: State) -> None:
        """Note the operands of what may divide by zero, overflow, or shift by too much."""
        danger = undefined(operator, kind, left, right)
        if danger is not None:
            self.effects.append(Effect(state.path, f"{operator} {kind.value}", (left, right), danger))

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
        risks = _distinct(done.effects)
        accesses = [term for effect in risks for term in (effect.path, *effect.operands)]
        terms = (*(z3.simplify(term) for term in (done.test, *left, *nexts, *stored)), *accesses)
        names = _names(state)
        form = repr(
            (
                done.loop.late,
                [_shape(state.variables[key]) for key in done.keys],
                [names[name] for name in done.arrays],
                [(effect.kind, len(effect.operands)) for effect in risks],
            )
        )
        number = self._loops.number(form, terms)
        own = {old.get_id(): key for key, old in zip(done.keys, before, strict=True)}
        own |= {old.get_id(): name for name, old in done.begin.memory.items()}
        start_of = dict(zip(done.keys, starts, strict=True)) | dict(state.memory)
        next_of = dict(zip(done.keys, nexts, strict=True)) | {
            name: done.after.memory[name] for name in done.arrays
        }
        flow = _Flow(own, start_of, next_of)
        rounds = (done.test, *left, *accesses)  # all that decides how often the loop runs, and whether it may

        def result(name: str, *needed: Term) -> Callable[[Term], Term]:
            inputs = flow.inputs((*rounds, *needed))

            def of(start: Term) -> Term:
                operands = (*inputs, start)
                sorts = (item.sort() for item in operands)
                return z3.Function(f"loop {number} {name}", *sorts, start.sort())(*operands)

            return of

        self.effects.append(Effect(state.path, f"loop {number}", flow.inputs(rounds)))
        variables = dict(state.variables)
        for position, (key, start) in enumerate(zip(done.keys, starts, strict=True)):
            final = result(f"variable {position}", nexts[position])(start)
            variables[key] = _with_term(variables[key], final)
        if not z3.is_false(z3.simplify(left[1])):
            variables[RETURN] = Value(result("return")(z3.BoolVal(False)), Scalar.BOOL)
        memory = dict(state.memory)
        for name in done.arrays:
            memory[name] = result(names[name], done.after.memory[name])(memory[name])
        return replace(state, variables=variables, memory=memory)


@dataclass(frozen=True, slots=True)
class _Flow:
    """How values flow from one round of a loop to the next."""

    own: Mapping[int, str]
    """The state's variables and arrays by the identity of what they are at the beginning of a round."""
    starts: Mapping[str, Term]
    nexts: Mapping[str, Term]

    def inputs(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """Return all from outside the loop that terms depend on, in this round or a later one."""
        used: dict[str, Term] = {}
        free: dict[int, Term] = {}
        waiting = [z3.simplify(term) for term in terms]
        while waiting:
            for identity, unknown in unknowns((waiting.pop(),)).items():
                name = self.own.get(identity)
                if name is None:
                    free[identity] = unknown
                elif name not in used:
                    used[name] = self.starts[name]
                    if name in self.nexts:
                        waiting.append(z3.simplify(self.nexts[name]))
        ordered = [used[name] for name in self.starts if name in used]
        return (*ordered, *sorted(free.values(), key=lambda term: str(term.decl().name())))


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


def _distinct(effects: Sequence[Effect]) -> list[Effect]:
    """Return effects in an order that does not depend on the text, each once."""
    found: dict[tuple[str, int, tuple[int, ...]], Effect] = {}
    for effect in effects:
        path, *operands = (z3.simplify(term) for term in (effect.path, *effect.operands))
        key = (effect.kind, path.get_id(), tuple(item.get_id() for item in operands))
        found[key] = Effect(path, effect.kind, tuple(operands))
    return [found[key] for key in sorted(found)]


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
