"""The normal form of a function's loops: counted, with closed forms in place of inductions."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from transpile.code.syntax import Function
from transpile.translators.loops.forms.algorithms import as_loop
from transpile.translators.loops.forms.bounds import with_plain_bound
from transpile.translators.loops.forms.commas import with_one_variable
from transpile.translators.loops.forms.descents import counted_up
from transpile.translators.loops.forms.finals import with_final_value
from transpile.translators.loops.forms.inductions import with_closed_form
from transpile.translators.loops.forms.iterators import with_numbers
from transpile.translators.loops.forms.own_arrays import with_own_array
from transpile.translators.loops.forms.ranges import with_counter
from transpile.translators.loops.forms.recurrences import with_running_sum
from transpile.translators.loops.forms.references import with_named_elements
from transpile.translators.loops.forms.searches import with_first_hit
from transpile.translators.loops.forms.whiles import as_for
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

_PASSES: tuple[Callable[[Function, EnclosingScope], str | None], ...] = (
    as_loop,
    with_counter,
    with_numbers,
    with_named_elements,
    with_one_variable,
    as_for,
    counted_up,
    with_plain_bound,
    with_first_hit,
    with_closed_form,
    with_final_value,
    with_running_sum,
    with_own_array,
)
"""Each changes one loop, and returns None where there is none left to change."""
_MOST = 32


@lru_cache(maxsize=16)
def normal(text: str, around: EnclosingScope) -> str:
    """Return a function with its loops in normal form; what has none stays as it is."""
    for rewritten in _PASSES:
        for _ in range(_MOST):
            found = rewritten(Function.of(text), around)
            if found is None:
                break
            text = found
    return text
