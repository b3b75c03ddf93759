"""Claims made more general: easier for z3, and never true where the original is false."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from transpile.testers.prove.arithmetic import Term

_PARAMETER = "parameter "


def generalised(claims: Sequence[Term]) -> list[Term]:
    """Return the claims with each sum of parameters, such as ``width + 2 * pad``, as one unknown number."""
    sums: dict[int, Term] = {}
    known: dict[int, bool] = {}
    waiting = list(claims)
    seen: set[int] = set()
    while waiting:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_int(term) and (z3.is_add(term) or z3.is_sub(term)) and _fixed(term, known):
            sums[term.get_id()] = term
        else:
            waiting += term.children()
    pairs = [(term, z3.Int(f"sum {number}")) for number, term in enumerate(sums.values())]
    return [z3.substitute(claim, *pairs) for claim in claims] if pairs else list(claims)


def _fixed(term: Term, known: dict[int, bool]) -> bool:
    """Tell whether a term is made of parameters and numbers only."""
    found = known.get(term.get_id())
    if found is None:
        if z3.is_int_value(term):
            found = True
        elif z3.is_const(term):
            found = term.decl().name().startswith(_PARAMETER)
        else:
            found = all(_fixed(child, known) for child in term.children())
        known[term.get_id()] = found
    return found
