"""Whether a device buffer and a host array may be one: how their contents move over a function's paths.

The source has two memories and copies between them; the port would have one. That is safe where, at every
use, the one memory holds what the memory used in the source holds. This is followed statement by statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import NamedTuple

from tree_sitter import Node


class Act(Enum):
    """What happens to the buffer (device side) or to the array (host side)."""

    ARRAY_BEGINS = auto()
    ARRAY_ENDS = auto()
    ARRAY_READ = auto()
    ARRAY_WRITTEN = auto()
    BUFFER_BEGINS = auto()
    BUFFER_ENDS = auto()
    BUFFER_READ = auto()
    BUFFER_CHANGED = auto()
    """Parts of it may be written, others kept."""
    BUFFER_FILLED = auto()
    """All of it is written."""
    TO_DEVICE = auto()
    TO_HOST = auto()
    LEAVES = auto()
    """The function may end here, as by an exception."""
    JUMPS = auto()
    """It may go on elsewhere, and the text does not say where."""


class Event(NamedTuple):
    """An act at a place of the text."""

    at: int
    act: Act


class _Newest(Enum):
    """Which side holds what the other does not."""

    NO_BUFFER = auto()
    """The buffer's contents are undefined."""
    BOTH = auto()
    DEVICE = auto()
    HOST = auto()


class _State(NamedTuple):
    array: bool | None
    """Exists; None after its end."""
    buffer: bool
    newest: _Newest


class _Unsafe(Exception):
    """The one memory would hold something else than the source's."""


_COMPOUND = frozenset(
    ("compound_statement", "case_statement", "else_clause", "condition_clause", "translation_unit")
)


def interchangeable(function: Node, events: Iterable[Event], *, outlives: bool) -> bool:
    """Tell whether buffer and array may be one memory.

    Args:
        function: The definition that holds all uses of the buffer.
        events: What happens to the two, in any order.
        outlives: The array is used after the function returns.
    """
    body = function.child_by_field_name("body")
    if body is None:
        return False
    ordered = sorted(events, key=lambda event: event.at)
    ahead = [event for event in ordered if event.at < body.start_byte]
    walk = _Walk([event for event in ordered if event.at >= body.start_byte])
    try:
        start = {_State(None, False, _Newest.NO_BUFFER)._replace(array=False)}
        for event in ahead:
            start = {_after(state, event.act) for state in start}
        ends = walk.statement(body, start) | walk.returned
    except _Unsafe:
        return False
    return not outlives or all(state.newest is not _Newest.DEVICE for state in ends)


class _Walk:
    """Follows sets of states through statements."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self.returned: set[_State] = set()
        self._breaks: list[set[_State]] = []
        self._continues: list[set[_State]] = []

    def statement(self, node: Node | None, states: set[_State]) -> set[_State]:
        """Return the states after a statement."""
        if node is None:
            return states
        eventful = any(node.start_byte <= event.at < node.end_byte for event in self._events)
        if not eventful and not self._jumps(node):
            return states
        match node.type:
            case "compound_statement" | "else_clause" | "case_statement":
                for child in node.named_children:
                    states = self.statement(child, states)
                return states
            case "if_statement":
                states = self._leaf(node.child_by_field_name("condition"), states)
                then = self.statement(node.child_by_field_name("consequence"), set(states))
                return then | self.statement(node.child_by_field_name("alternative"), set(states))
            case "for_statement" | "while_statement" | "do_statement" | "for_range_loop":
                return self._loop(node, states)
            case "switch_statement":
                return self._switch(node, states)
            case "return_statement":
                self.returned |= self._leaf(node, states)
                return set()
            case "break_statement":
                self._target(self._breaks).update(states)
                return set()
            case "continue_statement":
                self._target(self._continues).update(states)
                return set()
            case "goto_statement" | "labeled_statement" | "try_statement" | "lambda_expression":
                raise _Unsafe
            case _:
                return self._leaf(node, states)

    def _target(self, stack: list[set[_State]]) -> set[_State]:
        if not stack:
            raise _Unsafe
        return stack[-1]

    def _jumps(self, node: Node) -> bool:
        """Tell whether a statement without events of its own may leave the path."""
        jumps = (
            "return_statement",
            "break_statement",
            "continue_statement",
            "goto_statement",
            "labeled_statement",
        )
        if node.type in jumps:
            return True
        return any(self._jumps(child) for child in node.named_children)

    def _loop(self, node: Node, states: set[_State]) -> set[_State]:
        if node.type == "for_statement":
            states = self._leaf(node.child_by_field_name("initializer"), states)
        if node.type == "for_range_loop":
            states = self._leaf(node.child_by_field_name("right"), states)
        condition, update = node.child_by_field_name("condition"), node.child_by_field_name("update")
        body = node.child_by_field_name("body")
        self._breaks.append(set())
        self._continues.append(set())
        entered, left = set(states), set[_State]()
        while True:
            inside = set(entered)
            if node.type != "do_statement":
                inside = self._leaf(condition, inside)
                left |= inside
            inside = self.statement(body, inside) | self._continues[-1]
            inside = self._leaf(update, inside)
            if node.type == "do_statement":
                inside = self._leaf(condition, inside)
                left |= inside
            if inside <= entered:
                break
            entered |= inside
        self._continues.pop()
        return left | self._breaks.pop()

    def _switch(self, node: Node, states: set[_State]) -> set[_State]:
        states = self._leaf(node.child_by_field_name("condition"), states)
        body = node.child_by_field_name("body")
        self._breaks.append(set())
        reached = set(states)
        for case in body.named_children if body is not None else ():
            reached = self.statement(case, reached | states)
        return reached | states | self._breaks.pop()

    def _leaf(self, node: Node | None, states: set[_State]) -> set[_State]:
        """Apply the events of an expression or simple statement in the order of the text."""
        if node is None:
            return states
        for event in self._events:
            if node.start_byte <= event.at < node.end_byte:
                if event.act is Act.LEAVES:
                    self.returned |= states
                    continue
                after = {_after(state, event.act) for state in states}
                states = after | states if _conditional(node, event.at) else after
        return states


def _conditional(node: Node, at: int) -> bool:
    """Tell whether what stands at a place of an expression may be left out when the expression runs."""
    found = node.descendant_for_byte_range(at, at)
    while found is not None and found != node:
        parent = found.parent
        if parent is not None and parent.type == "conditional_expression":
            return True
        if parent is not None and parent.type == "binary_expression":
            operator = parent.child_by_field_name("operator")
            if (
                operator is not None
                and operator.type in ("&&", "||")
                and parent.child_by_field_name("right") == found
            ):
                return True
        found = parent
    return False


def _after(state: _State, act: Act) -> _State:
    """Return the state after an act; raises where one memory would not do."""
    array, buffer, newest = state
    match act:
        case Act.JUMPS:
            raise _Unsafe
        case Act.ARRAY_BEGINS:
            if array or (buffer and newest is not _Newest.NO_BUFFER):
                raise _Unsafe
            return _State(True, buffer, _Newest.NO_BUFFER)
        case Act.ARRAY_ENDS:
            return _State(None, buffer, newest)
        case Act.BUFFER_BEGINS:
            return _State(array, True, newest if newest is _Newest.DEVICE else _Newest.NO_BUFFER)
        case Act.BUFFER_ENDS:
            return _State(array, False, newest)
        case Act.ARRAY_READ | Act.ARRAY_WRITTEN:
            if newest is _Newest.DEVICE:
                raise _Unsafe
            if act is Act.ARRAY_WRITTEN and newest is _Newest.BOTH:
                newest = _Newest.HOST
            return _State(array, buffer, newest)
        case _:
            if not array or not buffer:
                raise _Unsafe
            return _State(array, buffer, _moved(newest, act))


def _moved(newest: _Newest, act: Act) -> _Newest:
    """Return which side is newer after an act of the device."""
    match act, newest:
        case Act.TO_DEVICE, _Newest.BOTH | _Newest.HOST | _Newest.NO_BUFFER:
            return _Newest.BOTH
        case Act.TO_HOST, _Newest.BOTH | _Newest.DEVICE | _Newest.NO_BUFFER:
            return _Newest.BOTH  # what a loop that did not run leaves undefined may be anything
        case Act.BUFFER_READ, _Newest.BOTH | _Newest.DEVICE:
            return newest
        case Act.BUFFER_CHANGED, _Newest.BOTH | _Newest.DEVICE | _Newest.NO_BUFFER:
            return _Newest.DEVICE
        case Act.BUFFER_FILLED, _:
            return _Newest.DEVICE
        case _:
            raise _Unsafe
