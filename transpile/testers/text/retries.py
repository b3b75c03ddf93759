"""Loops that try a compare-and-swap again: whether they go round is chance, and nothing else is behind it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.trees import descendants, text

_MEMBER = re.compile(r"compare_exchange_(?:weak|strong)")
_UPDATING = {"__atomic_compare_exchange_n", "__atomic_compare_exchange"}
"""Put what is there into what was expected, by its address."""
_TELLING = {"__sync_bool_compare_and_swap"}
_RETURNING = {"__sync_val_compare_and_swap", "atomicCAS"}
"""Return what was there."""
_PURE = re.compile(
    r"__(?:int|uint|float|double|longlong)\w*_as_\w+|__builtin_bit_cast|__atomic_load_n"
    r"|(?:std::)?(?:f?max[fl]?|f?min[fl]?|f?abs[fl]?)|(?:\w+_cast|std::(?:bit_cast|max|min))<.*>"
)
_READING = re.compile(r"#\s*pragma\s+omp\s+atomic\s+read\b")
_CHANGES = ("assignment_expression", "update_expression")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Swap:
    """A compare-and-swap that decides whether a loop goes round."""

    place: Node
    expected: str
    desired: Node
    renewed: frozenset[str]
    """Names that hold what was there when it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A variable gets a value."""

    name: str
    value: Node


def is_retry(loop: Node) -> bool:
    """Tell whether a loop does nothing but swap until nobody came between.

    Each time round, what is stored is made anew of what is there now. Where it is made of something else that
    was read there, another thread's update would be lost, and where it is made of what an earlier time round
    left, something is done twice: such loops need a trial.
    """
    condition, steps = loop.child_by_field_name("condition"), _steps(loop)
    if condition is None or steps is None:
        return False
    test = condition
    while test.type in ("parenthesized_expression", "condition_clause") and test.named_child_count == 1:
        test = test.named_children[0]
    swap = _of_condition(test)
    if swap is None and steps:
        swap, steps = _of_last_step(test, steps[-1]), steps[:-1]
    return swap is not None and _made_anew(swap, steps, loop)


def _steps(loop: Node) -> Sequence[_Step] | None:
    """Return what the body of a loop does, in order; None where it does more than give variables values."""
    body = loop.child_by_field_name("body")
    if body is None or loop.type not in ("while_statement", "do_statement"):
        return None
    statements = body.named_children if body.type == "compound_statement" else [body]
    steps: list[_Step] = []
    for statement in statements:
        if statement.type == "comment" or text(statement) == ";":
            continue
        if statement.type == "preproc_call" and _READING.match(text(statement)):
            continue
        found = list(_given_by(statement))
        if not found or not all(_is_pure(step.value) for step in found):
            return None
        steps += found
    return steps if loop.type == "do_statement" or not steps else None


def _given_by(statement: Node) -> Iterator[_Step]:
    """Yield the variables that a statement gives values; nothing where it does anything else."""
    parts = statement.named_children
    if statement.type == "expression_statement" and len(parts) == 1:
        [whole] = parts
        target, value = whole.child_by_field_name("left"), whole.child_by_field_name("right")
        plain = whole.type == "assignment_expression" and text(whole.child_by_field_name("operator")) == "="
        if plain and target is not None and target.type == "identifier" and value is not None:
            yield _Step(name=text(target), value=value)
    elif statement.type == "declaration":
        items = statement.children_by_field_name("declarator")
        for item in items:
            target, value = item.child_by_field_name("declarator"), item.child_by_field_name("value")
            if item.type != "init_declarator" or target is None or value is None:
                return
            if target.type != "identifier":
                return
            yield _Step(name=text(target), value=value)


def _is_pure(value: Node) -> bool:
    """Tell whether a value changes nothing; a compare-and-swap is looked at where it decides."""
    calls = [
        item for item in (value, *descendants(value, "call_expression")) if item.type == "call_expression"
    ]
    names = [text(item.child_by_field_name("function")) for item in calls]
    return not list(descendants(value, *_CHANGES)) and all(
        _PURE.fullmatch(name) or name in _RETURNING for name in names
    )


def _of_condition(test: Node) -> _Swap | None:
    """Return the swap whose failure a condition tells."""
    if test.type == "unary_expression" and text(test.child_by_field_name("operator")) == "!":
        call = test.child_by_field_name("argument")
        return None if call is None else _telling(call)
    for call, other in _unequal(test):
        swap = _returning(call, frozenset())
        if swap is not None and text(other) == swap.expected:
            return swap
    return None


def _of_last_step(test: Node, last: _Step) -> _Swap | None:
    """Return the swap that a loop makes last, where it goes round if that found something else."""
    for found, expected in _unequal(test):
        swap = _returning(last.value, frozenset({last.name}))
        if swap is not None and text(found) == last.name and text(expected) == swap.expected:
            return swap
    return None


def _unequal(test: Node) -> Iterator[tuple[Node, Node]]:
    """Yield both sides of a comparison for inequality, either one first."""
    sides = [test.child_by_field_name(side) for side in ("left", "right")]
    if test.type == "binary_expression" and text(test.child_by_field_name("operator")) == "!=":
        left, right = sides
        if left is not None and right is not None:
            yield from ((left, right), (right, left))


def _telling(call: Node) -> _Swap | None:
    """Return the swap of a call that tells whether it stored something."""
    function, arguments = call.child_by_field_name("function"), _arguments(call)
    if function is None or len(arguments) < 2:
        return None
    if function.type == "field_expression":
        place, member = function.child_by_field_name("argument"), function.child_by_field_name("field")
        if place is None or not _MEMBER.fullmatch(text(member)):
            return None
        return _updating(place, text(arguments[0]), arguments[1])
    name = text(function)
    if len(arguments) == 6 and name in _UPDATING and text(arguments[1]).startswith("&"):
        return _updating(arguments[0], text(arguments[1])[1:], arguments[2])
    if len(arguments) == 3 and name in _TELLING:
        return _Swap(
            place=arguments[0], expected=text(arguments[1]), desired=arguments[2], renewed=frozenset()
        )
    return None


def _updating(place: Node, expected: str, desired: Node) -> _Swap:
    return _Swap(place=place, expected=expected, desired=desired, renewed=frozenset({expected}))


def _returning(call: Node, renewed: frozenset[str]) -> _Swap | None:
    """Return the swap of a call that returns what was there."""
    arguments = _arguments(call)
    if text(call.child_by_field_name("function")) not in _RETURNING or len(arguments) != 3:
        return None
    place, expected, desired = arguments
    return _Swap(place=place, expected=text(expected), desired=desired, renewed=renewed)


def _arguments(call: Node) -> list[Node]:
    listed = call.child_by_field_name("arguments") if call.type == "call_expression" else None
    return [] if listed is None else [item for item in listed.named_children if item.type != "comment"]


def _made_anew(swap: _Swap, steps: Sequence[_Step], loop: Node) -> bool:
    """Tell whether what is stored is made of what is there now, and of nothing else that was read there."""
    if not _is_pure(swap.desired):
        return False
    given = {step.name for step in steps}
    known, outside = set(swap.renewed), set[str]()
    for step in steps:
        used = _names(step.value)
        if used & given - known:
            return False
        outside |= used - known
        known.add(step.name)
    used = _names(swap.desired)
    if swap.expected not in known or not used & known:
        return False
    outside |= used - known
    function = _function(loop)
    stale = known | _bases(swap.place)
    for name in _bases(swap.place):
        stale |= {base for value in _values(function, name) for base in _bases(value)}
    return all(_is_apart(function, name, stale - {name}) for name in outside - _bases(swap.place))


def _function(node: Node) -> Node:
    while node.parent is not None and node.type not in ("function_definition", "lambda_expression"):
        node = node.parent
    return node


def _bases(place: Node) -> set[str]:
    """Return the names of what a place lies in, without those that only say where."""
    if place.type == "identifier":
        return {text(place)}
    parts = [item for item in place.named_children if item.type != "subscript_argument_list"]
    if place.type == "subscript_expression":
        parts = parts[:1]
    return {name for part in parts for name in _bases(part)}


def _is_apart(function: Node, name: str, stale: Collection[str]) -> bool:
    """Tell whether no value that a function gives to a variable mentions one of some names."""
    return name not in stale and not any(_names(value) & set(stale) for value in _values(function, name))


def _values(function: Node, name: str) -> Iterator[Node]:
    """Yield the values that a function gives to a variable or a part of it."""
    fields = {"init_declarator": ("declarator", "value"), "assignment_expression": ("left", "right")}
    for node in descendants(function, *fields):
        target, value = (node.child_by_field_name(field) for field in fields[node.type])
        if target is not None and value is not None and name in _bases(target):
            yield value


def _names(node: Node) -> set[str]:
    """Return the variables that an expression mentions."""
    found = [node] if node.type == "identifier" else list(descendants(node, "identifier"))
    functions = (
        item.child_by_field_name("function")
        for item in (node, *descendants(node, "call_expression"))
        if item.type == "call_expression"
    )
    called = {item.id for item in functions if item is not None}
    return {text(item) for item in found if item.id not in called}
