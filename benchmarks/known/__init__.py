"""C functions with known extents: how far any valid call reaches into each array, and random valid calls."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from . import data, gathers, layouts, parts
from .maker import Known, Maker, Value

ISSUE: Mapping[str, Callable[[Maker], Known]] = {
    "gather": gathers.gather,
    "histogram": data.histogram,
    "sized": data.size_in_array,
    "resample": data.resample,
    "scatter": gathers.scatter,
}
"""Where contracts once confirmed themselves."""
OTHERS: Mapping[str, Callable[[Maker], Known]] = {
    "spmv": gathers.spmv,
    "some_rows": gathers.some_rows,
    "spread_rows": gathers.spread_rows,
    "modes": gathers.modes,
    "ell": gathers.ell,
    "permute": gathers.permute,
    "segments": gathers.segments,
    "indirect": gathers.indirect,
    "edges": gathers.edges,
    "embedding": gathers.embedding,
    "unpool": gathers.unpool,
    "guarded": gathers.guarded,
    "gathered_sum": gathers.gathered_sum,
    "rounded": data.rounded,
    "lookup": data.lookup,
    "characters": data.characters,
    "packed": data.packed,
    "masked": data.masked,
    "members": data.members,
    "leading": layouts.leading,
    "triangular": layouts.triangular,
    "backwards": layouts.backwards,
    "product": layouts.product,
    "extremes": layouts.extremes,
    "neighbours": layouts.neighbours,
    "constant_rows": layouts.rows_of_constant,
    "convolution": layouts.convolution,
    "every_other": layouts.every_other,
    "part": layouts.part,
    "band": layouts.band,
    "repeated": layouts.repeated,
    "multiply": layouts.multiply,
    "several": parts.several,
    "cases": parts.cases,
    "rows_named": parts.rows_named,
}
KINDS: Mapping[str, Callable[[Maker], Known]] = {**ISSUE, **OTHERS}

__all__ = ["ISSUE", "KINDS", "OTHERS", "Known", "Value", "generate", "source_of"]


def generate(count: int, seed: int, kinds: Sequence[str] = ()) -> list[Known]:
    """Return that many functions; those of the issue's kinds come twice as often as the others."""
    turns = list(kinds) or [*ISSUE, *OTHERS, *ISSUE]
    made = []
    for number in range(count):
        kind = turns[number % len(turns)]
        # A string keeps its hash from run to run here, unlike a tuple.
        made.append(KINDS[kind](Maker(kind=kind, number=number, random=random.Random(f"{seed} {number}"))))
    return made


def source_of(functions: Sequence[Known]) -> str:
    """Return a file of C with these functions."""
    includes = "".join(f"#include <{name}.h>\n" for name in ("math", "stddef"))
    return includes + "\n".join(item.types + item.text for item in functions)
