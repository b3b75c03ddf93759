"""The function that a loop becomes, and the call in its place."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import Function, begins_line, indent_unit, indentation, reindent
from transpile.parsers.extraction.arguments import Argument, Way
from transpile.parsers.extraction.loops import Loop

_WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A loop as a function of its own."""

    name: str
    function: str
    """With an empty line behind it."""
    row: int
    """The line of the loop in it, from 0."""
    call: str
    types: Mapping[str, str]
    """Of the variables that are the function's own."""


def written(function: Function, found: Loop, name: str, arguments: Sequence[Argument]) -> Written:
    """Return a loop as a function, and the statement that calls it.

    What comes back is returned where it is one number, and left behind pointers where there are more.

    Args:
        function: The function that holds the loop.
        found: The loop.
        name: The new function's name.
        arguments: What the loop needs from outside.
    """
    step = indent_unit(function)
    back = [item for item in arguments if item.way in (Way.CHANGED, Way.SET)]
    returned = back[0] if len(back) == 1 else None
    behind = [] if returned is not None else back
    own = [
        item for item in arguments if item.way is Way.LOCAL or (item.way is Way.SET and item not in behind)
    ]
    passed = [item for item in arguments if item not in own]
    passed.sort(key=lambda item: not item.typed.scalar)
    head = _listed(
        f"static {_type(returned) if returned is not None else 'void'} {name}(",
        [_parameter(item, behind=item in behind) for item in passed],
        ")",
    )
    opening = " {" if _opens_in_line(function) else "\n{"
    before = [
        f"{item.typed.declared.format(item.name)};" for item in arguments if item.way in (Way.LOCAL, Way.SET)
    ]
    before += [
        f"{item.typed.declared.format(item.name)} = *{_pointer(item)};"
        for item in behind
        if item.way is Way.CHANGED
    ]
    edits = [
        Edit(use.start_byte, use.end_byte, item.name)
        for item in arguments
        for use in item.uses
        if item.text != item.name
    ]
    after = [f"*{_pointer(item)} = {item.name};" for item in behind]
    after += [f"return {returned.name};"] if returned is not None else []
    lines = [head + opening, *(step + line for line in before)]
    old = indentation(function.text, found.start)
    moved = reindent(apply_outermost(function.text, edits, found.start, found.node.end_byte), old, step)
    text = "\n".join((*lines, step + moved, *(step + line for line in after)))
    end = "\r\n" if "\r\n" in function.text else "\n"
    return Written(
        name=name,
        function=f"{text}\n}}\n\n".replace("\r\n", "\n").replace("\n", end),
        row=sum(line.count("\n") + 1 for line in lines),
        call=_call(function, found, name, passed, behind, returned),
        types={item.name: item.typed.canonical for item in own},
    )


def _call(
    function: Function,
    loop: Loop,
    name: str,
    passed: Sequence[Argument],
    behind: Sequence[Argument],
    returned: Argument | None,
) -> str:
    given = [f"&{item.text}" if item in behind else item.text for item in passed]
    head = f"{returned.text} = {name}(" if returned is not None else f"{name}("
    indent = indentation(function.text, loop.start)
    text = _listed(head, given, ");", len(indent.expandtabs()))
    first, *rest = text.split("\n")
    if not begins_line(function.text, loop.start):
        return " ".join((first, *(line.strip() for line in rest)))
    return "\n".join((first, *(indent + line for line in rest)))


def _listed(head: str, items: Sequence[str], end: str, indent: int = 0) -> str:
    """Return a list behind its head, over several lines where it is long."""
    whole = f"{head}{', '.join(items)}{end}"
    if len(whole) + indent <= _WIDTH:
        return whole
    # Blanks within an item must not break a line.
    joined = ", ".join(item.replace(" ", "\0") for item in items)
    width = max(_WIDTH - indent - len(head), _WIDTH // 3)
    lines = textwrap.wrap(joined, width, break_long_words=False, break_on_hyphens=False)
    return (head + f"\n{' ' * len(head)}".join(lines) + end).replace("\0", " ")


def _parameter(argument: Argument, *, behind: bool) -> str:
    return argument.typed.declared.format(f"*{_pointer(argument)}" if behind else argument.name)


def _pointer(argument: Argument) -> str:
    return f"{argument.name}_out"


def _type(argument: Argument) -> str:
    return argument.typed.declared.format("").strip()


def _opens_in_line(function: Function) -> bool:
    """Tell whether the brace of a function stands at the end of a line."""
    return not begins_line(function.text, function.body.start_byte)
