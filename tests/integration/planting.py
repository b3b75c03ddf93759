"""Functions that fail where they are given one unit: as our bugs do, or as a machine that lacks something."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from transpile.core import Candidate, Evidence, Level

GOOD = b"void good(float *x, int n) { for (int i = 0; i < n; i++) x[i] = 2 * x[i]; }\n"
BAD = b"void bad(float *x, int n) { for (int i = 0; i < n; i++) x[i] = 3 * x[i]; }\n"


@dataclass(frozen=True, slots=True)
class Planted:
    """A function that fails where it is given the unit ``bad``."""

    owner: str
    """The module, or the class behind a colon, that whoever calls it looks it up in."""
    name: str
    beside: bool = False
    """The unit has a file of its own."""
    kept: bool = False
    """Its translation stands all the same."""
    always: bool = False
    """It fails whatever it is given."""


def plant(planted: Planted, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the function fail."""
    module, _, inner = planted.owner.partition(":")
    owner: Any = importlib.import_module(module)
    owner = getattr(owner, inner) if inner else owner
    original: Callable[..., Any] = getattr(owner, planted.name)

    def broken(*arguments: Any, **named: Any) -> Any:
        if planted.always or any(map(concerns, (*arguments, *named.values()))):
            raise error
        return original(*arguments, **named)

    monkeypatch.setattr(owner, planted.name, broken)


def concerns(argument: object) -> bool:
    """Tell whether an argument is, or is about, the unit ``bad``: kept, where it is of a whole port."""
    match argument:
        case str():
            return argument == "b.c"
        case tuple() if argument and all(isinstance(item, Evidence) for item in argument):
            return any(item.unit.name == "bad" and item.kept(Level.TESTED) for item in argument)
        case dict():
            return any(
                item.binding.name == "bad" for item in argument.values() if isinstance(item, Candidate)
            )
        case _:
            unit = getattr(argument, "unit", argument)
            return getattr(unit, "name", "") == "bad"
