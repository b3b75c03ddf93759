"""The source's own loops, which stay beside a port: arrays that overlap depend on their order."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.code.edits import Edit
from transpile.code.syntax import INDENT, Function, find
from transpile.core import Signature
from transpile.translators.loops.planning.overlaps import declared, overlapping

_OVERLAP = "// Arrays that overlap depend on the order of the loops."
_SIGNS = "// Iterations that may meet or lead ahead of an array are left to the loops in order."


def in_order(function: Function) -> str:
    """Return the source's function under another name."""
    name = next(node for node in find(function.declarator, "identifier"))
    text = function.edited([Edit(name.start_byte, name.end_byte, _name(function))])
    return text if text.lstrip().startswith("static") else f"static {text}\n"


def left_in_order(
    function: Function, signature: Signature, conditions: Sequence[str], signs: Sequence[str] = ()
) -> list[str]:
    """Return the lines that leave a function by that other one where iterations may meet.

    Args:
        function: The source's.
        signature: What it is given.
        conditions: Under which arrays lie apart.
        signs: Comparisons of the caller's numbers that have to hold as well.
    """
    call = f"{_name(function)}({', '.join(signature.names)});"
    void = signature.returns is None
    leave = [f"{INDENT}{call}", f"{INDENT}return;"] if void else [f"{INDENT}return {call}"]
    head = f"if ({overlapping([*signs, *conditions], '')}) {{"
    return [_SIGNS if signs else _OVERLAP, *head.split("\n"), *leave, "}"]


def beside(text: str, conditions: Sequence[str], flag: str, before: str, indent: str) -> str:
    """Return a flag, and a choice by it between new loops and those of before.

    Args:
        text: The new loops, a level deeper.
        conditions: Under which arrays lie apart.
        flag: What to call the flag.
        before: The loops of before, a level deeper but for their first line.
        indent: Where the choice stands.
    """
    return "\n".join(
        (
            f"{indent}{declared(flag, conditions, indent)}",
            f"{indent}if ({flag}) {{",
            text,
            f"{indent}}} else {{",
            f"{indent}{INDENT}{before}",
            f"{indent}}}",
        )
    )


def _name(function: Function) -> str:
    return f"{function.name}_sequential"
