"""Branches of a translation that nothing takes, whatever a call gives it: guards that follow from others.

Proofs of the source (``branches``) model a text exactly or not at all. Here nothing has to be exact: what
is not understood may be anything, as may what several threads change. So no text must be understood whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import z3
from clang.cindex import CursorKind

from transpile.core import Contract, TranslationUnit
from transpile.parsers.types import clang
from transpile.testers.prove.expressions import key_of
from transpile.testers.prove.reach.calls import Callers, Context, callee
from transpile.testers.prove.reach.directives import Directives
from transpile.testers.prove.reach.launches import launch_of, launches
from transpile.testers.prove.reach.premises import Premises
from transpile.testers.prove.reach.shapes import Launched
from transpile.testers.prove.reach.values import Term
from transpile.testers.prove.reach.variables import Variables
from transpile.testers.prove.reach.walking import Walk
from transpile.testers.prove.solving import Clock, Unproven
from transpile.testers.prove.tree import NotModelled
from transpile.testers.prove.ways import Ways, by_line

Cursor = Any

_OF_GCC = "'__malloc__' attribute takes no arguments"
"""Complaint of clang about g++'s ``omp.h``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A candidate in the file that it is compiled in."""

    root: Path
    """The folder of the files, in name alone."""
    files: Mapping[str, bytes]
    unit: TranslationUnit
    plain: bool
    """No CUDA is in it."""
    path: str
    """Of the file that holds the candidate."""
    namespace: str
    """Of its functions; in C, the beginning of their names."""
    name: str
    """Of the function that is called in place of the source, as it stands there."""
    arguments: tuple[str, ...]
    """Passed to it in order, by the names of the contract."""


def unreached(text: Text, contract: Contract, clock: Clock) -> dict[int, Ways]:
    """Return the lines of a candidate with ways out that nothing takes; lines count from the file's first.

    Lines on which compilers make branches of their own, or count a condition elsewhere, are left out.

    Raises:
        NotModelled: The parser does not understand the text.
    """
    cursors = list(_cursors(text))
    launched = launches(cursors)
    calls = [callee(item) for item in cursors if item.kind is CursorKind.CALL_EXPR]
    called = {item.get_usr() for item in calls if item is not None}
    count = _Count(clock)
    functions = [item for item in cursors if _is_own(item, text)]
    trusted = [item for item in functions if item.spelling == text.name and item.get_usr() not in called]
    given = Premises.of(contract, text.arguments) if trusted else Premises()
    parameters = {
        key_of(item): name
        for function in trusted
        for item, name in zip(function.get_arguments(), text.arguments, strict=False)
    }
    callers = Callers(cursors, text.namespace)
    for function in _callers_first(functions, trusted, callers):
        premises, context = given, Context()
        if function not in trusted:
            premises = given.of_kernel(launched.get(function.get_usr(), Launched()), parameters)
            context = callers.context(function)
        with suppress(NotModelled):  # to know less is never wrong
            walk = count.add(function, text.files[text.path], premises, context)
            callers.saw(walk.calls, walk.facts)
    return count.lines


def _callers_first(
    functions: Sequence[Cursor], trusted: Sequence[Cursor], callers: Callers
) -> Iterator[Cursor]:
    """Yield functions, each behind those that call it where these were understood."""
    waiting = [item for item in functions if item not in trusted]
    yield from trusted
    while waiting:
        known = [item for item in waiting if not callers.pending(item)]
        following = known[0] if known else waiting[0]
        waiting.remove(following)
        yield following


def unreached_in_kernel(
    kernel: Cursor, data: bytes, contract: Contract, clock: Clock, *, few: bool = False
) -> dict[int, Ways]:
    """Return the lines of a source's kernel with ways out that nothing takes where it is launched as it is.

    Args:
        kernel: Its definition.
        data: The file that it stands in; lines count from the file's first.
        contract: Its contract.
        clock: Bounds the time.
        few: No axis of a launch has 2^31 threads.

    Raises:
        NotModelled: What is compiled of it depends on conditions.
    """
    premises = Premises.of(contract, contract.signature.names)
    count = _Count(clock)
    count.add(kernel, data, replace(premises, launch=launch_of(contract), few=few))
    return count.lines


class _Count:
    """Ways out of the conditions of functions, and how many of them nothing takes, by line."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._never: Counter[int] = Counter()
        self._ways: Counter[int] = Counter()
        self._blurred: set[int] = set()
        self._spread: set[tuple[int, int]] = set()

    def add(self, function: Cursor, data: bytes, premises: Premises, context: Context | None = None) -> Walk:
        """Count those of a function in a file, and of its lambdas; NotModelled where it is not understood."""
        walked = self._counted(function, data, premises, context)
        self._blurred |= walked.blurred
        for cursor in clang.descend(function):
            if cursor.kind is CursorKind.LAMBDA_EXPR:
                with suppress(NotModelled):  # What it takes from around it may be anything.
                    blurred = self._counted(cursor, data, Premises(), None).blurred
                    inside = range(cursor.extent.start.line + 1, cursor.extent.end.line)
                    self._blurred = (self._blurred - {*inside}) | blurred
        return walked

    def _counted(self, function: Cursor, data: bytes, premises: Premises, context: Context | None) -> Walk:
        """Count ways out of conditions; return the walk to them."""
        directives = Directives(data, function)
        walk = Walk(Variables(function, directives, premises), directives, premises)
        walk.function(function, context)
        solver = self._clock.solver(walk.facts)
        self._spread |= walk.spread
        for asked in walk.asked:
            self._ways[asked.line] += 1
            self._never[asked.line] += _holds(self._clock, solver, asked.terms)
        return walk

    @property
    def lines(self) -> dict[int, Ways]:
        """Return the lines with ways that nothing takes, but for those that compilers may count elsewhere."""
        return by_line(self._never, self._ways, self._spread, self._blurred)


def _holds(clock: Clock, solver: z3.Solver, terms: Sequence[Term]) -> bool:
    """Tell whether terms never are true together; what cannot be told in time may be."""
    try:
        return clock.part().holds(solver, *terms)
    except Unproven:
        return False


def _cursors(text: Text) -> Iterator[Cursor]:
    """Yield what stands in the candidate's file.

    Raises:
        NotModelled: The parser has a complaint, and so may have left something out.
    """
    if any(b"_Pragma" in data for data in text.files.values()) or "-fwrapv" in text.unit.flags:
        raise NotModelled("directives in macros, or sums that wrap")
    parsed = clang.parse(text.root, text.files, text.unit, plain=text.plain)
    for found in parsed.diagnostics:
        if found.severity >= clang.ERROR and not found.spelling.endswith(_OF_GCC):
            raise NotModelled(f"what the parser does not understand ({found.spelling})")
    own = str(text.root / text.path)
    for cursor in parsed.cursor.get_children():
        if cursor.location.file is not None and cursor.location.file.name == own:
            yield cursor
            yield from clang.descend(cursor)


def _is_own(cursor: Cursor, text: Text) -> bool:
    """Tell whether a cursor is the definition of a function of the candidate's."""
    if cursor.kind is not CursorKind.FUNCTION_DECL or not cursor.is_definition():
        return False
    around = cursor.semantic_parent
    named = cursor.spelling.startswith(f"{text.namespace}__")
    return named or (around is not None and around.spelling == text.namespace)
