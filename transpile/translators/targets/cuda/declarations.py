"""Declarations in kernels of what the pointers of a function point to."""

from __future__ import annotations

import re

from transpile.code.syntax import source, squeeze
from transpile.code.variables import Variable

_QUALIFIED = r"(?:const|restrict|__restrict(?:__)?)*"
_SHAPE = re.compile(
    rf"\*{_QUALIFIED}\w+"
    rf"|\(\*{_QUALIFIED}\w+\)(?P<rows>(?:\[[^\[\]]+\])+)"
    r"|\w+\[[^\]]*\](?P<others>(?:\[[^\[\]]+\])*)"
)
"""A pointer to numbers, to rows, and an array in a list of parameters."""
_RESTRICT = ("restrict", "__restrict__", "__restrict")


def is_array(variable: Variable) -> bool:
    """Tell whether a variable is an array, or leads to one."""
    return variable.pointer or variable.array


def element(variable: Variable, *, constant: bool = False) -> str:
    """Return the type of what a pointer leads to; its ``const`` only where that is asked for."""
    dropped = _RESTRICT if constant else (*_RESTRICT, "const")
    return " ".join(word for word in variable.type.split() if word not in dropped)


def declared(variable: Variable, name: str, *, constant: bool = False) -> str:
    """Return the declaration of a pointer under some name to what a parameter leads to."""
    lengths = rows(variable)
    return f"{element(variable, constant=constant)} " + (f"(*{name}){lengths}" if lengths else f"*{name}")


def rows(variable: Variable) -> str | None:
    """Return the lengths of what a parameter leads to, ``[8][64]``; None where these are pointers."""
    found = _SHAPE.fullmatch(squeeze(source(variable.shape)))
    return None if found is None else found["rows"] or found["others"] or ""
