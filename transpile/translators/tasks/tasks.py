"""A function as three: one makes tasks, one goes on below without them, one is called as the source's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import INDENT, Function, field, indent_unit, indentation, replace, source
from transpile.code.variables import declared_type
from transpile.translators.tasks.body import Body, own_calls
from transpile.translators.tasks.groups import Group
from transpile.translators.tasks.writing import Writer

_TASKS = 16
"""Tasks for each thread: calls differ in how much they do."""
_OF_LOOPS = 8
"""Calls that a loop is assumed to make."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a port calls its own."""

    tasks: str
    """The function that makes tasks."""
    sequential: str
    """The source's own, where no more tasks are made."""
    levels: str
    """How often calls may still make tasks."""
    result: str
    count: str

    @classmethod
    def free(cls, name: str, taken: Collection[str]) -> Names:
        """Return names that nothing has in the source."""
        wishes = (f"{name}_tasks", f"{name}_sequential", "levels", "result", "tasks")
        return cls(*(free_name(taken, wish) for wish in wishes))


def sequential(function: Function, names: Names) -> str:
    """Return the source's function under another name."""
    calls = [field(call, "function") for call in own_calls(function.body, function.name)]
    edits = [replace(callee, names.sequential) for callee in calls]
    return function.edited([*_renamed(function, names.sequential), *edits])


def making_tasks(body: Body, groups: Sequence[Group], names: Names) -> str:
    """Return the function with tasks for the calls of each group, as long as levels are left."""
    function = body.function
    indent = indentation(function.text, function.body.end_byte - 1) + indent_unit(function)
    below = f"{names.sequential}({', '.join(_given(function))});"
    if declared_type(function.node) == "void":
        lines = [f"if ({names.levels} == 0) {{", f"{INDENT}{below}", f"{INDENT}return;", "}"]
    else:
        lines = [f"if ({names.levels} == 0)", f"{INDENT}return {below}"]
    start = function.body.start_byte + 1
    return function.edited(
        [
            *_renamed(function, names.tasks),
            _with_parameter(function, f"int {names.levels}"),
            Edit(start, start, "".join(f"\n{indent}{line}" for line in lines)),
            *Writer(body, names.tasks, names.levels).edits(groups),
        ]
    )


def entered(function: Function, groups: Sequence[Group], names: Names, condition: str) -> str:
    """Return the source's function with a team of threads, one of which makes the first call.

    Args:
        function: The source's.
        groups: Its calls that run in parallel.
        names: What the port calls its own.
        condition: When there is enough to do for a team; empty where nobody knows.
    """
    returns = declared_type(function.node)
    first = f"{names.tasks}({', '.join((*_given(function), names.levels))});"
    lines = [
        f"int {names.levels} = 0;",
        f"for (int {names.count} = 1; {names.count} < {_TASKS} * omp_get_max_threads(); "
        f"{names.count} *= {_ways(groups)})",
        f"{INDENT}{names.levels}++;",
        "#pragma omp parallel" + (f" if ({condition})" if condition else ""),
        "#pragma omp single",
        first if returns == "void" else f"{names.result} = {first}",
    ]
    if returns != "void":
        lines = [f"{returns} {names.result};", *lines, f"return {names.result};"]
    body = "".join(f"\n{INDENT}{line}" for line in lines)
    return function.edited([replace(function.body, f"{{{body}\n}}")])


def _ways(groups: Sequence[Group]) -> int:
    """Return how many calls one call makes at once."""
    return max(
        _OF_LOOPS
        if any(item.repeats for item in group.parts)
        else sum(len(item.spawns) for item in group.parts)
        for group in groups
    )


def _given(function: Function) -> list[str]:
    return [item.name for item in function.parameters if item.name]


def _renamed(function: Function, name: str) -> Iterator[Edit[str]]:
    """Yield the edits that give a function another name, which its file alone knows."""
    yield replace(field(function.declarator, "declarator"), name)
    kinds = [item for item in function.node.children if item.type == "storage_class_specifier"]
    if all(source(item) != "static" for item in kinds):
        start = function.node.start_byte
        yield Edit(start, start, "static ")
    yield from (Edit(item.start_byte, item.end_byte + 1, "") for item in kinds if source(item) == "extern")


def _with_parameter(function: Function, declared: str) -> Edit[str]:
    """Return the edit that adds a parameter behind the others."""
    listed = function.parameter_list
    if not _given(function):
        return replace(listed, f"({declared})")
    return Edit(listed.end_byte - 1, listed.end_byte - 1, f", {declared}")
