"""Parallel regions in which threads find a part each, and then begin with what those before them have found.

Two loops give a thread the same iterations, in the order of threads (``schedule(static)``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.code.names import free_name, with_number
from transpile.code.syntax import Function, indentation, reindent
from transpile.code.variables import Variable
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.frames import indented, numbered
from transpile.translators.loops.iteration.places import closed

_ONTO = {
    "+": "{overall} += {own};",
    "min": "if ({own} < {overall}) {overall} = {own};",
    "max": "if ({own} > {overall}) {overall} = {own};",
}


@dataclass(frozen=True, slots=True)
class Handed:
    """A number that each thread has of its own, and hands on."""

    name: str
    type: str
    begun: str
    """What there is before the loop, as C."""
    overall: str
    """The name of what all threads have found."""
    before: str
    """The name of what those before a thread have found."""
    local: bool = False
    """It lives in the region alone."""


def handed(function: Function, band: Band, variable: Variable) -> Handed:
    """Return a variable of a function as a number that threads hand on."""
    before = free_name(function.identifiers, f"{variable.name}_before")
    whole = overall(function, band, variable.name)
    return Handed(variable.name, variable.type, variable.name, whole, before)


def overall(function: Function, band: Band, name: str) -> str:
    """Return a name for what all threads have found, of its own for each loop of a function."""
    number = numbered(function, band.outer.node)
    return free_name(function.identifiers, with_number(f"{name}_overall", number))


def handed_on(
    function: Function,
    band: Band,
    numbers: Sequence[Handed],
    part: Sequence[str],
    region: Sequence[str],
    loop: Sequence[str],
    operator: str = "+",
    between: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return the lines above a loop in which threads begin with what those before them have found.

    Args:
        function: The function.
        band: The loop.
        numbers: What threads hand on.
        part: What an iteration does to find them, and no more.
        region: Clauses of the region.
        loop: Clauses of the loop.
        operator: How two of the numbers become one.
        between: What comes when all threads have found theirs.
    """
    adds = operator == "+"  # an extreme begins in every thread with what was there before
    thread = free_name(function.identifiers, "thread")
    head = function.text[band.node.start_byte : closed(band.node)]
    own = ", ".join(item.name for item in numbers if not item.local)
    kept = [f"{'private' if adds else 'firstprivate'}({own})"] if own else []
    merged = [line for item in numbers for line in _taken_on(item, operator)]
    inner = (
        *(f"{item.type} {item.name} = 0;" if item.local else f"{item.name} = 0;" for item in numbers if adds),
        "#pragma omp for schedule(static) nowait",
        *f"{reindent(head, indentation(function.text, band.node.start_byte), '')} {{".split("\n"),
        *indented(part),
        "}",
        "#pragma omp for ordered schedule(static, 1)",
        f"for (int {thread} = 0; {thread} < omp_get_num_threads(); {thread}++) {{",
        *indented(("#pragma omp ordered", "{", *indented(merged), "}")),
        "}",
        *between,
        " ".join(("#pragma omp for schedule(static)", *loop)),
    )
    return (
        *(f"{item.type} {item.overall} = {item.begun};" for item in numbers),
        " ".join(("#pragma omp parallel", *kept, *region)),
        "{",
        *indented(inner),
    )


def _taken_on(item: Handed, operator: str) -> Iterator[str]:
    """Yield the statements by which a thread adds its part, and then has what those before it have."""
    yield f"const {item.type} {item.before} = {item.overall};"
    yield _ONTO[operator].format(own=item.name, overall=item.overall)
    yield f"{item.name} = {item.before};"
