"""Plain reads that local variables hold and no compare-and-swap has confirmed yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

STALE = "stale"
"""A read of what is another address by now."""


class Leaked(Exception):
    """A value that was read plainly goes elsewhere than into a compare-and-swap of its address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """Dependences of an expression. Reads are named by where they stand."""

    reads: frozenset[str] = frozenset()
    exact: bool = False
    """It is what its only read returned, bit for bit."""
    decided: frozenset[str] = frozenset()
    """Reads that decided whether it was computed at all."""
    swapped: str = ""
    """It is what a compare-and-swap returned that expected this read."""
    confirms: tuple[str, bool] | None = None
    """As a condition: it has this truth value only where memory still held that read."""
    kind: str = ""
    """Whether it is a floating or a whole number, else its type; empty where that is not known."""

    @property
    def tainted(self) -> frozenset[str]:
        """Return all that it depends on."""
        return self.reads | self.decided


CLEAN = Value()
State = Mapping[str, Value]


def derived(*values: Value) -> Value:
    """Return what is computed from values."""
    return Value(
        reads=frozenset().union(*(value.reads for value in values)),
        decided=frozenset().union(*(value.decided for value in values)),
    )


def either(states: Sequence[State]) -> dict[str, Value]:
    """Return what variables hold where one of several ways was taken."""
    first, *others = states
    joined = dict(first)
    for other in others:
        for name in joined.keys() | other.keys():
            a, b = joined.get(name, CLEAN), other.get(name, CLEAN)
            if a != b:
                joined[name] = replace(derived(a, b), kind=a.kind or b.kind)
    return joined


def compiled(place: str, states: Sequence[State]) -> dict[str, Value]:
    """Return what variables hold behind conditional compilation, whichever text was chosen.

    One that texts disagree about becomes a read of its own, as at the head of a loop.
    """
    joined = {}
    for name in dict.fromkeys(name for state in states for name in state):
        ways = [state.get(name, CLEAN) for state in states]
        reads, kinds = frozenset().union(*(way.reads for way in ways)), {way.kind for way in ways} - {""}
        if all(way == ways[0] for way in ways):
            joined[name] = ways[0]
        elif STALE in reads or len(kinds) > 1 or any(way.decided for way in ways):
            joined[name] = derived(*ways)
        else:
            joined[name] = Value(
                reads=frozenset({f"{place}:{name}"} if reads else ()),
                exact=all(way.exact or not way.reads for way in ways),
                kind="".join(kinds),
            )
    return joined


def confirmed(state: State, read: str) -> dict[str, Value]:
    """Return the state where a compare-and-swap has found in memory what was read."""
    gone = frozenset({read})
    return {
        name: replace(value, reads=value.reads - gone, decided=value.decided - gone)
        for name, value in state.items()
    }


def at_loop(loop: str, entry: State, back: State | None) -> dict[str, Value]:
    """Return the state at the head of a loop, where a read of the last turn is no read of this one.

    A variable that holds any becomes a read of its own: two are the same only if one was copied in this turn.
    """
    head = {}
    for name in entry:
        ways = [entry.get(name, CLEAN), (back if back is not None else entry).get(name, CLEAN)]
        own = f"{loop}:{name}" if any(way.reads for way in ways) else ""
        head[name] = Value(
            reads=frozenset({own} if own else ()) | ({STALE} & (ways[0].reads | ways[1].reads)),
            exact=all(way.exact or not way.reads for way in ways),
            decided=frozenset({loop} if any(way.decided for way in ways) else ()),
            kind=ways[0].kind or ways[1].kind,
        )
    return head


def outdated(state: State) -> dict[str, Value]:
    """Return the state after the address itself may have become another one."""
    return {
        name: replace(value, reads=frozenset({STALE}), exact=False) if value.reads else value
        for name, value in state.items()
    }
