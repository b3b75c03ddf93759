"""PTX as text: the registers that it declares, and its instructions with their operands as written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from transpile.parsers.ptx.statement import Untranslatable

_COMMENT = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")
_STATEMENT = re.compile(r"[^;{}]*(?:\{[^{}]*\}[^;{}]*)*;")
"""Braces within a statement are those of a vector."""
_INSTRUCTION = re.compile(r"(?:@(!?)\s*([%\w$]+)\s+)?([a-z][\w.:]*)\s*([\s\S]*)")
_DECLARATION = re.compile(r"\.reg\s*\.(pred|[bus](?:16|32|64)|f32|f64)\s+([%\w$\s,]+)")
_COMMA = re.compile(r",(?![^{\[]*[}\]])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction."""

    text: str
    opcode: tuple[str, ...]
    """The parts between its points."""
    operands: tuple[str, ...]
    guard: str = ""
    """The predicate under which it takes place, ``!`` before it where that has to be false."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What a statement does."""

    registers: Mapping[str, str] = field(default_factory=dict)
    """The types of registers that it declares."""
    instructions: tuple[Instruction, ...] = ()


def parse(text: str) -> Program:
    """Return the instructions of a text; raises Untranslatable."""
    registers: dict[str, str] = {}
    instructions: list[Instruction] = []
    text, at = _COMMENT.sub(" ", text), 0
    while at < len(text):
        if text[at].isspace() or text[at] in "{};":
            at += 1
            continue
        found = _STATEMENT.match(text, at)
        if found is None:
            raise Untranslatable(" ".join(text[at:].split()))
        at = found.end()
        statement = " ".join(found.group()[:-1].split())
        if statement.startswith(".reg"):
            _declare(statement, registers)
        else:
            instructions.append(_instruction(statement))
    return Program(registers=registers, instructions=tuple(instructions))


def _declare(statement: str, registers: dict[str, str]) -> None:
    found = _DECLARATION.fullmatch(statement)
    if found is None:
        raise Untranslatable(statement)
    for name in found.group(2).split(","):
        if name.strip() in registers:
            raise Untranslatable(f"two registers called {name.strip()}")
        registers[name.strip()] = found.group(1)


def _instruction(statement: str) -> Instruction:
    found = _INSTRUCTION.fullmatch(statement)
    if found is None:
        raise Untranslatable(statement)
    negated, guard, opcode, rest = found.groups()
    return Instruction(
        text=statement,
        opcode=tuple(opcode.split(".")),
        operands=tuple(part.strip() for part in _COMMA.split(rest)) if rest else (),
        guard=f"{negated}{guard}" if guard else "",
    )
