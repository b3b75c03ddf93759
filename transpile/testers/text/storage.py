"""Candidates whose memory is of the wrong kind: shared by all callers, too little, or of unguarded ends."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.core import Candidate, Source
from transpile.parsers.text.growing import growing
from transpile.parsers.text.lasting import Lasting, lasting, of_threads


def misplaced_memory(source: Source, candidate: Candidate) -> Iterator[tuple[str, str]]:
    """Yield the variables of a candidate that outlive its calls or outgrow the stack, and what to do instead.

    What the source declares so itself is none of the candidate's doing.
    """
    for item in candidate.replacements:
        replaced = source.unit(item.unit).text
        yield from _shared(replaced, item.text)
        yield from _unguarded(replaced, item.text)
        if next(growing(replaced), None) is None:
            yield from _outgrowing(item.text)


def _shared(replaced: bytes, text: bytes) -> Iterator[tuple[str, str]]:
    for item in _new(lasting(text), lasting(replaced)):
        what = f"keeps data between calls: `{item.name}` (its line {item.line})"
        yield what, "calls from two threads would share it: make it a variable of the call, or constant"


def _unguarded(replaced: bytes, text: bytes) -> Iterator[tuple[str, str]]:
    for item in _new(of_threads(text), of_threads(replaced)):
        what = f"has a thread-local array: `{item.name}` (its line {item.line})"
        yield what, "no checker sees where it ends: take it from the heap"


def _new(found: Iterator[Lasting], known: Iterator[Lasting]) -> Iterator[Lasting]:
    """Yield the variables that the source does not keep so as well."""
    names = {item.name for item in known}
    return (item for item in found if item.name not in names)


def _outgrowing(text: bytes) -> Iterator[tuple[str, str]]:
    for item in growing(text):
        what = f"has an array on the stack whose length varies: `{item.name}` (its line {item.line})"
        yield what, "a large call has no room for it: take it from the heap"
