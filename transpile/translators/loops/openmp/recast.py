"""Nests of which nothing runs at once as they are, in a form of which something does."""

from __future__ import annotations

from collections.abc import Callable

from transpile.core import Contract
from transpile.translators.loops.analysis import Nest
from transpile.translators.loops.openmp.splits import in_parts
from transpile.translators.loops.outside import Outside
from transpile.translators.rules.syntax import Edit, Function
from transpile.translators.rules.variables import Variables

Recast = Callable[[Function, Variables, Nest, Contract | None, Outside, str], tuple[str, Edit] | None]
"""Takes what puts a nest into another order takes; returns the name of a rule, and the edit it makes."""

RECASTS: tuple[Recast, ...] = (in_parts,)


def recast(
    function: Function,
    variables: Variables,
    nest: Nest,
    contract: Contract | None,
    around: Outside,
    flag: str,
) -> tuple[str, Edit] | None:
    """Return the edit of the first rule that knows such a nest, with its name; None where none does."""
    made = (rule(function, variables, nest, contract, around, flag) for rule in RECASTS)
    return next((item for item in made if item is not None), None)
