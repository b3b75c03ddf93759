"""Faults that can be planted into right candidates."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.plants.call import Call, sized
from benchmarks.plants.subject import Parameter, Subject

CLASSES = {
    1: "untaken branches",
    2: "sizes",
    3: "values",
    4: "narrow accumulators",
    5: "threads",
    6: "check-then-act",
    7: "checkers told apart",
    8: "policy by tokens",
    9: "state and side effects",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A candidate with a fault, and calls that should show it."""

    text: str
    calls: tuple[Call, ...]


Make = Callable[[Subject, Random], Planted | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """A way to plant a fault."""

    name: str
    number: int
    """Of its class."""
    make: Make
    """Return None where there is no place for it."""


def main_function(subject: Subject, text: str) -> re.Match[str]:
    """Return the head of the candidate's own function in a text, up to its opening brace."""
    head = re.search(rf"^[^\n/]*\b{subject.function.name}\(([^)]*)\)\n\{{\n", text, re.MULTILINE)
    if head is None:
        raise ValueError(f"{subject.id}: no function of that name")
    return head


def at_entry(subject: Subject, statements: str, text: str | None = None) -> str:
    """Return the candidate, or what has become of it, with statements at the beginning of its function."""
    whole = text or subject.text
    head = main_function(subject, whole)
    return f"{whole[: head.end()]}{indented(statements)}{whole[head.end() :]}"


def with_size(subject: Subject, size: str, expression: str) -> str:
    """Return the candidate with another value in place of a size; ``@`` is the size that was given."""
    head = main_function(subject, subject.text)
    given = f"{size}_given"
    renamed = re.sub(rf"\bint {size}\b", f"int {given}", head[0])
    line = f"    int {size} = {expression.replace('@', given)};\n"
    return f"{subject.text[: head.start()]}{renamed}{line}{subject.text[head.end() :]}"


def indented(statements: str) -> str:
    """Return lines as they stand in a function; what a line is joined with stays where it is."""
    whole = statements.replace("\n", "\n    ").replace("\\\n    ", "\\\n")
    return f"    {whole}\n"


def nothing(subject: Subject) -> str:
    """Return the statement by which the function ends early."""
    returns = subject.function.returns
    return "return;" if returns == "void" or subject.dialect == "hip" else "return 0;"


def spelled(value: int, random: Random) -> str:
    """Return a number as one of many expressions."""
    forms = [str(value), hex(value), f"({value - 7} + 7)", f"{value}L"]
    for factor in (1000, 100, 64, 50, 16, 10):
        if value % factor == 0:
            forms.append(f"({factor} * {value // factor})")
    if value & (value - 1) == 0:
        forms += [f"(1 << {value.bit_length() - 1})"] * 2
    forms += [
        f"(int){value}.0",
        f"((int)sizeof(double) * {value // 8} + {value % 8})",
        f"('d' * {value // 100} + {value % 100})",
    ]
    forms.append(
        f"(0x7fffffff / {0x7FFFFFFF // value})"
        if 0x7FFFFFFF // (0x7FFFFFFF // value) == value
        else str(value)
    )
    return random.choice(forms)


def bound(random: Random, span: tuple[int, int] = (50, 5_000_000)) -> int:
    """Draw a number whose logarithm is even, often a round one."""
    low, high = span
    value = int(math.exp(random.uniform(math.log(low), math.log(high))))
    kind = random.random()
    if kind < 0.3:
        return 1 << max(value.bit_length() - 1, 6)
    if kind < 0.6:
        step = int(10 ** (len(str(value)) - 1))
        return max(value // step * step, low)
    return value


def around(subject: Subject, size: str, *values: int, **more: object) -> tuple[Call, ...]:
    """Return calls with these sizes."""
    return tuple(
        Call(sizes=sized(subject.function, **{size: value}), **more)  # type: ignore[arg-type]
        for value in values
    )


def inputs(subject: Subject) -> list[Parameter]:
    """Return arrays of numbers that the function reads and that stand with a subscript in the candidate."""
    return [
        item
        for item in subject.function.arrays.values()
        if not item.below
        and re.search(rf"\b{item.name}\[", subject.text)
        and (
            item.constant
            or re.search(rf"\b{item.name}\[[^\]]*\] *[-+*/^&|]?= .*\b{item.name}\[", subject.text)
        )
    ]


READ = r"(?<!\w){name}\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?! *(?:[-+*/^&|]?=[^=]|\+\+))"
WRITE = re.compile(
    r"(?m)^(?P<before> *(?:for \([^\n]*?\) |if \([^\n]*?\) )*)(?P<target>(?P<array>\w+)\[(?P<at>[^\]]*)\]) ="
    r" (?P<value>[^;]+);"
)


def reads(subject: Subject, name: str) -> list[re.Match[str]]:
    """Return where an array is read."""
    return list(re.finditer(READ.format(name=name), subject.text))


def writes(subject: Subject) -> list[re.Match[str]]:
    """Return assignments to elements of the function's arrays."""
    arrays = subject.function.arrays
    return [found for found in WRITE.finditer(subject.text) if found["array"] in arrays]


def replaced(text: str, found: re.Match[str], by: str, group: int | str = 0) -> str:
    """Return the text with a match replaced."""
    return f"{text[: found.start(group)]}{by}{text[found.end(group) :]}"
