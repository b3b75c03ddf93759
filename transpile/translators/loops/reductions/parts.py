"""Whether what iterations gather in parts is what they gather in turn, as far as types tell.

A whole number that is given fractions loses them at each step, so where it is cut off depends on the parts.
An extreme is that of all only where numbers compare as they did before they were kept. And ``ok && a[i]``
reads nothing more once it is false, which a part that begins with ``true`` does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from transpile.code.syntax import (
    ancestors,
    arguments,
    called,
    condition,
    field,
    inside,
    operator,
    quoted,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.accesses import Access, self_update
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.reductions.scalars import Scalar, joined, names
from transpile.translators.loops.reductions.speculation import ENDED, Speculation
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import compares_alike, is_number, is_whole, known_type, whole
from transpile.translators.refusal import Refused

_ROUNDING = ("+", "*")
_TRUTHS = ("bool", "_Bool")
_COUNTING = ("+", "*", "^")
"""Operators that a truth cannot be gathered by: it is cut off at 1 each time, except by ``^`` of truths."""


def unlike(gathered: Iterable[Scalar], loop: Loop, variables: Variables, around: EnclosingScope) -> str:
    """Return why a scalar of a loop may not be gathered in parts; empty where all may be."""
    return next((why for item in gathered if (why := _of_scalar(item, loop, variables, around))), "")


def unlike_updates(updates: Iterable[Access], variables: Variables, around: EnclosingScope) -> str:
    """Return why elements may not be updated in another order; empty where they may."""
    for access in updates:
        write = access.node.parent if access.write else None
        while write is not None and write.type == "parenthesized_expression":
            write = write.parent
        if write is None:
            continue
        kind = known_type(access.node, variables, around)
        again = self_update(write)
        parts = [] if write.type == "update_expression" else [again.value if again else field(write, "right")]
        why = _lost(kind, access.update, parts, access.base.partition("@")[0], variables, around)
        if why:
            return why
    return ""


def _of_scalar(scalar: Scalar, loop: Loop, variables: Variables, around: EnclosingScope) -> str:
    variable, name = scalar.variable, scalar.variable.name
    writes = [item for item in variable.writes if inside(item, loop.node)]
    given = [item for write in writes for item in _given(write, variable)]
    if scalar.extreme:
        if around.holds_fractions(variable.bare) and not is_number(variable.bare):
            return f"`{name}` has the type `{variable.type}`, which depends on the build"
        if any(not _is_known(write, variable, around) for write in writes):
            return f"`{name}` is chosen by a function of the source, whose order is unknown"
        types = [known_type(item, variables, around) for item in given]
        alike = around.holds_fractions(variable.bare) or all(
            compares_alike(item, variable.bare) for item in types
        )
        alike = alike and (
            all(whole(item, variables, around) for item in given)
            or not any(_keeps_first(write, variable) for write in writes)
        )
        if not alike:
            return f"`{name}` may be stored as another number than the one that was compared"
        tests = [use for use in variable.uses if inside(use, loop.node)]
        return next((why for use in tests if (why := asks_on(use, loop, variables, around))), "")
    if scalar.operator in ("&&", "||"):
        tests = [field(right, "right") for right in _settled(scalar, writes)]
        return next((why for test in tests if (why := _harm(test, loop, variables, around))), "")
    return _lost(variable.bare, scalar.operator, given, name, variables, around)


def _lost(
    kind: str, sign: str, given: Iterable[Node], name: str, variables: Variables, around: EnclosingScope
) -> str:
    """Return why steps lose more than one sum of them; empty where they do not."""
    kinds = (known_type(item, variables, around) for item in given)
    if kind in _TRUTHS and sign in _COUNTING and not (sign == "^" and all(one in _TRUTHS for one in kinds)):
        return f"`{name}` is a `bool`, and `{sign}` counts with it"
    if kind in around.objects:
        return f"`{name}` is an object"
    if (
        sign in _ROUNDING
        and not around.holds_fractions(kind)
        and not all(whole(item, variables, around) for item in given)
    ):
        return f"`{name}` is an integer that floating-point values go into: each step rounds"
    return ""


def _given(write: Node, variable: Variable) -> Iterator[Node]:
    """Yield what a write takes into a variable: not the variable itself, nor the condition of a choice."""
    if write.type == "update_expression":
        return
    right = unparenthesized(field(write, "right"))
    parts = [right]
    if operator(write) == "=" and names(right, variable):
        match right.type:
            case "call_expression":
                parts = arguments(right)
            case "conditional_expression":
                parts = [field(right, part) for part in ("consequence", "alternative")]
            case _:
                parts = [field(right, side) for side in ("left", "right")]
    yield from (item for item in parts if not names(item, variable))


def _keeps_first(write: Node, variable: Variable) -> bool:
    """Tell whether ``s > e ? s : e`` sets a variable, which takes what is no number for the greater one."""
    right = unparenthesized(field(write, "right"))
    return right.type == "conditional_expression" and names(field(right, "consequence"), variable)


def _is_known(write: Node, variable: Variable, around: EnclosingScope) -> bool:
    """Tell whether an extreme is chosen by an operator, or by a function that is known to do no more."""
    right = unparenthesized(field(write, "right"))
    if right.type != "call_expression" or not names(right, variable):
        return True
    name = called(right)
    if name not in around.own and name not in around.defined:
        return True
    return name in around.choices and is_whole(variable.bare)


def _settled(scalar: Scalar, writes: Iterable[Node]) -> Iterator[Node]:
    """Yield what is joined to a flag by an operator that asks no more once the flag is settled."""
    for write in writes:
        right = unparenthesized(field(write, "right"))
        if operator(right) == scalar.operator and names(field(right, "left"), scalar.variable):
            yield right


def asks_on(best: Node, loop: Loop, variables: Variables, around: EnclosingScope) -> str:
    """Return what harm it does to ask what is asked behind a comparison with the extreme number so far.

    A part that has come less far asks it of more elements. Empty where it does none.
    """
    test = next((item for item in ancestors(best) if item.type == "if_statement"), None)
    if test is None or not inside(test, loop.body) or not inside(best, field(test, "condition")):
        return ""
    behind = (item for item in joined(condition(test)) if item.start_byte > best.end_byte)
    return next((why for item in behind if (why := _harm(item, loop, variables, around))), "")


def _harm(test: Node, loop: Loop, variables: Variables, around: EnclosingScope) -> str:
    """Return why a test may not be made in iterations in which the source does not come to it."""
    try:
        Speculation(loop, variables, around).computes(test)
    except Refused as harm:
        more = f"in parallel, more iterations evaluate {quoted(test)} than in the source"
        return f"{more}{str(harm).removeprefix(ENDED)}"
    return ""
