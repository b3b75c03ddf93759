"""One ``asm`` statement as statements of C++."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from transpile.code.lexer import Token
from transpile.parsers.ptx import instructions, statement
from transpile.parsers.ptx.instructions import Instruction
from transpile.parsers.ptx.registers import (
    CONSTRAINTS,
    NAMES,
    Register,
    bits,
    constant,
    converted,
    literal,
    mark,
    marks,
    named,
    parenthesized,
    repeatable,
    spelled_operand,
    stored,
    unmarked,
    whole,
)
from transpile.parsers.ptx.statement import Operand, Untranslatable
from transpile.parsers.ptx.table import SPECIAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one instruction does."""

    text: str
    target: Register | None = None
    """What the text is the value of; None for a statement."""
    guard: str = ""


@dataclass(kw_only=True)
class Draft:
    """The statement on its way: what its registers hold, and the steps so far."""

    operands: Mapping[str, Register]
    declared: Mapping[str, Register]
    parameters: frozenset[bytes]
    kernel: bool
    """The statement stands in a kernel's own body."""
    rest: Sequence[Instruction] = ()
    """The instructions that are still to come."""
    steps: list[Step] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    halves: dict[str, str] = field(default_factory=dict)
    """Variables that were written under one predicate only."""
    beforehand: dict[str, str] = field(default_factory=dict)
    """Variables that are declared before all steps, with their types."""
    carry: str = ""
    """What left the carry: ``add`` or ``sub``."""

    def register(self, name: str) -> Register:
        """Return a register by the name that PTX has for it."""
        found = self.operands.get(name) or self.declared.get(name)
        if found is None:
            raise Untranslatable(f"the register {name}")
        return found

    def variable(self, name: str) -> Register:
        """Return the register that a variable stands for."""
        registers = (*self.operands.values(), *self.declared.values())
        return next(register for register in registers if register.variable == name)

    @property
    def inputs(self) -> list[Register]:
        """Return the operands that are only read, without those that are numbers to the compiler."""
        return [
            register
            for register in self.operands.values()
            if register.operand is not None
            and not register.operand.written
            and register.operand.constraint != "n"
        ]

    def uses(self, variable: str) -> bool:
        """Tell whether any step reads or writes a variable."""
        return any(
            variable in marks(step.text) or (step.target is not None and step.target.variable == variable)
            for step in self.steps
        )

    def number(self, name: str) -> int | None:
        """Return the value of an operand that is a number as written."""
        register = self.operands.get(name)
        if register is None:
            return whole(name)
        operand = register.operand
        return constant(operand.tokens) if operand is not None and not operand.written else None

    def value(self, name: str, kind: str) -> str:
        """Return the expression that reads an operand as of a type."""
        if kind == "pred" and name.startswith("!"):
            return f"!{self.value(name[1:].strip(), kind)}"
        if name in SPECIAL:
            held, text = SPECIAL[name]
            return converted(text, held, kind)
        number = self.number(name)
        written = literal(name if number is None else str(number), kind)
        if written is not None:
            return written
        register = self.register(name)
        if register.operand is not None and register.operand.constraint == "n":
            return f"({NAMES[kind]})({register.operand.text})"
        if register.variable not in self.written:
            raise Untranslatable(f"{name}, which is read before it is written")
        return self.held(register, kind)

    def held(self, register: Register, kind: str) -> str:
        """Return the expression that reads a register as of a type of its width."""
        if bits(register.type) != bits(kind):
            raise Untranslatable(f"a register of {register.type} read as {kind}")
        return mark(register, kind)

    def assign(self, name: str, text: str, kind: str, guard: str) -> None:
        """Write a value of a type."""
        condition = self.value(guard, "pred") if guard else ""
        register = self.target(name, guard)
        self.steps.append(Step(text=stored(text, kind, register.type), target=register, guard=condition))

    def target(self, name: str, guard: str) -> Register:
        """Return a register that is written from here on."""
        register = self.register(name)
        if register.operand is not None and not register.operand.written:
            raise Untranslatable(f"{name}, which is no output, written")
        self._note(register.variable, guard)
        if register.type == "pred":
            self.halves = {key: half for key, half in self.halves.items() if half.lstrip("!") != name}
        return register

    def do(self, text: str, guard: str) -> None:
        """Add a statement."""
        self.steps.append(Step(text=text, guard=self.value(guard, "pred") if guard else ""))

    def local(self, kind: str) -> str:
        """Return a new variable, declared before all steps."""
        name = f"ptx_v{len(self.beforehand)}"
        self.beforehand[name] = kind
        return name

    def _note(self, variable: str, guard: str) -> None:
        other = guard[1:] if guard.startswith("!") else f"!{guard}"
        if not guard or self.halves.get(variable) == other:
            self.written.add(variable)
        elif variable not in self.written:
            self.halves[variable] = guard


def begun(
    tokens: Sequence[Token], *, kernel: bool, parameters: frozenset[bytes]
) -> tuple[Draft, Sequence[Instruction]]:
    """Return the statement before its first instruction, and its instructions."""
    asm = statement.read(tokens, parameters)
    program = instructions.parse(asm.text)
    operands = {
        f"%{index}": Register(
            type=CONSTRAINTS.get(item.constraint, "b64"), variable=f"ptx_{index}", operand=item
        )
        for index, item in enumerate(asm.operands)
    }
    declared = {
        name: Register(type=kind, variable="ptx_" + name.lstrip("%").replace("$", "_"))
        for name, kind in program.registers.items()
    }
    variables = [register.variable for register in (*operands.values(), *declared.values())]
    if len(set(variables)) < len(variables):
        raise Untranslatable("registers of names that C++ cannot tell apart")
    draft = Draft(operands=operands, declared=declared, parameters=parameters, kernel=kernel)
    draft.written |= {
        register.variable for register, item in zip(operands.values(), asm.operands, strict=True) if item.read
    }
    return draft, program.instructions


def finished(draft: Draft) -> list[str]:
    """Return the statements of C++, the last without its semicolon."""
    outputs = [item for item in draft.operands.values() if item.operand is not None and item.operand.written]
    if any(register.variable not in draft.written for register in outputs):
        raise Untranslatable("an output that is not written")
    alone = _alone(draft, outputs)
    return [alone] if alone is not None else _block(draft, outputs)


def _alone(draft: Draft, outputs: Sequence[Register]) -> str | None:
    """Return the one statement that does it all; None where there is none."""
    if len(draft.steps) > 1 or draft.beforehand or _dropped(draft):
        return None
    if not draft.steps:
        return None if outputs else "(void)0"
    [step] = draft.steps
    reads = marks(step.text)
    if step.guard or len(outputs) > 1 or step.target != (outputs[0] if outputs else None):
        return None
    if any(reads.count(name) > 1 and not _repeatable(draft, name) for name in reads):
        return None
    if step.target is None:
        return _expressions(draft, step.text)
    operand = _operand(step.target)
    if operand.read and not named(operand.tokens, draft.parameters):
        return None
    return _assignment(step.target, parenthesized(operand.text), _expressions(draft, step.text))


def _expressions(draft: Draft, text: str) -> str:
    return unmarked(text, lambda name, kind: spelled_operand(_operand(draft.variable(name)), kind))


def _block(draft: Draft, outputs: Sequence[Register]) -> list[str]:
    """Return a block with a variable for each register."""
    inlined = frozenset(
        register.variable for register in draft.inputs if _repeatable(draft, register.variable)
    )

    def spell(name: str, kind: str) -> str:
        register = draft.variable(name)
        inline = name in inlined
        return spelled_operand(_operand(register), kind) if inline else converted(name, register.type, kind)

    bound = {
        register.variable: f"ptx_at_{register.variable.removeprefix('ptx_')}"
        for register in outputs
        if not named(_operand(register).tokens, draft.parameters)
    }
    places = {item.variable: bound.get(item.variable, _operand(item).text) for item in outputs}
    lines = [f"auto &{name} = {_operand(draft.variable(item)).text};" for item, name in bound.items()]
    read = [
        item
        for item in draft.operands.values()
        if _operand(item).read and _operand(item).constraint != "n" and item.variable not in inlined
    ]
    lines += [_begun(draft, item, places.get(item.variable, _operand(item).text)) for item in read]
    lines += [f"{kind} {name}{{}};" for name, kind in draft.beforehand.items()]
    known = {register.variable for register in read}
    for step in draft.steps:
        if step.target is not None and step.guard and step.target.variable not in known:
            lines.append(f"{NAMES[step.target.type]} {step.target.variable}{{}};")
            known.add(step.target.variable)
    for step in draft.steps:
        text = unmarked(step.text, spell)
        if step.target is not None:
            fresh = "" if step.target.variable in known else f"{NAMES[step.target.type]} "
            known.add(step.target.variable)
            text = f"{fresh}{step.target.variable} = {text}"
        lines.append(f"if ({unmarked(step.guard, spell)}) {{ {text}; }}" if step.guard else f"{text};")
    lines += [f"{_assignment(item, places[item.variable], item.variable)};" for item in outputs]
    return ["do {", *lines, "} while (0)"]


def _begun(draft: Draft, register: Register, place: str) -> str:
    """Return the declaration of an operand's variable, with what the operand holds."""
    if not _operand(register).written and not draft.uses(register.variable):
        return f"(void){parenthesized(place)};"
    held = NAMES[register.type]
    cast = "" if _operand(register).constraint in "fd" else f"({held})"
    kept = "" if _operand(register).written else "const "
    return f"{kept}{held} {register.variable} = {cast}{parenthesized(place) if cast else place};"


def _assignment(register: Register, place: str, text: str) -> str:
    # What is written may be a pointer.
    if register.type == "b64":
        text = f"(__typeof__({place})){parenthesized(text)}"
    return f"{place} = {text}"


def _operand(register: Register) -> Operand:
    assert register.operand is not None
    return register.operand


def _repeatable(draft: Draft, name: str) -> bool:
    operand = draft.variable(name).operand
    return operand is not None and repeatable(operand.tokens, draft.parameters)


def _dropped(draft: Draft) -> bool:
    """Tell whether an expression that may do something would no longer be evaluated."""
    return any(
        not draft.uses(register.variable) and not _repeatable(draft, register.variable)
        for register in draft.inputs
    )
