"""Scalars that the last iteration hands out: its thread leaves them in memory of the device."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.code.edits import Edit
from transpile.code.syntax import INDENT, Function
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.frames import Frame, framed, indented
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.places import continues, ending
from transpile.translators.loops.iteration.trips import count, moved, runs, some, value


def can_hand_out(band: Band) -> bool:
    """Tell whether each thread comes to the end of its iteration, where what it hands out is left."""
    return not continues(band.inner.node)


def handed_out(function: Function, band: Band) -> Iterator[Edit[str]]:
    """Yield the edits by which the thread of the last iteration leaves what it hands out."""
    lasts = band.loops[0].lasts
    if not lasts:
        return
    own = {item.loop.node.id: _is_last(item.loop) for item in band.loops}
    within = {loop.node.id: some(loop) for loop in lasts[0].within if not runs(loop)}
    # A launch asks for iterations of the band's own loops.
    asked = " && ".join(dict.fromkeys((within | own).values()))
    names = [item.variable.name for item in lasts]
    lines = (f"if ({asked}) {{", *(f"{INDENT}*{name}_total = {name};" for name in names), "}")
    if band.inner.body.type == "compound_statement":
        yield from ending(function, band.inner.node, lines)
    else:
        yield from framed(function, band.inner.body, Frame(("{",), (*indented(lines), "}"), depth=1))


def _is_last(loop: Loop) -> str:
    """Return that a loop is in its last iteration."""
    return f"{loop.variable.name} == {value(loop, moved(count(loop), -1))}"
