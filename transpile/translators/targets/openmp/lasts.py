"""Scalars that the last iteration hands out: ``lastprivate``, where there is an iteration.

What one has behind a loop without iterations is unspecified (OpenMP 5.2, 5.4.5), and the source's value in C.
"""

from __future__ import annotations

from collections.abc import Iterator

from transpile.translators.loops.analysis.analysis import Known
from transpile.translators.loops.iteration.frames import Frame, indented
from transpile.translators.loops.iteration.places import in_block
from transpile.translators.loops.iteration.trips import runs, some


def handed_out(known: Known) -> Iterator[str]:
    """Yield the clause that names what the last iteration leaves."""
    if known.lasts:
        yield f"lastprivate({', '.join(item.variable.name for item in known.lasts)})"


def where_some(known: Known, frame: Frame) -> Frame:
    """Return a frame whose loop begins only where there is a last iteration, if one hands something out."""
    within = known.lasts[0].within if known.lasts else ()
    asked = [some(loop) for loop in within if not runs(loop)]
    if not asked:
        return frame
    guarded = _within(f"if ({' && '.join(asked)}) {{", frame)
    # An `else` behind the loop belongs to the source's own `if`.
    return guarded if in_block(known.loop.node) else _within("{", guarded)


def _within(opening: str, frame: Frame) -> Frame:
    """Return a frame in a block that a line opens."""
    return Frame((opening, *indented(frame.above)), (*indented(frame.below), "}"), frame.depth + 1)
