"""Suites by name or path: what kind a file is, its rows say."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from transpile.errors import UsageError
from transpile.eval import algorithms, babeltower, hpctranseval
from transpile.eval.items import Suite

Rows = list[Mapping[str, Any]]
SHAPES: tuple[tuple[Callable[[Mapping[str, Any]], bool], Callable[[str, Rows], Suite]], ...] = (
    (babeltower.recognises, babeltower.suite),
    (hpctranseval.recognises, hpctranseval.suite),
)
BUILT_IN = tuple(f"algorithms-{name}" for name in algorithms.SUFFIXES)
_MOST = 1 << 30
"""Bytes of a file of items."""


def load(name: str) -> Suite:
    """Return a suite that is built in, or that of a file of JSON Lines.

    Raises:
        UsageError: There is none of that name, or its rows are of no kind that is known.
    """
    if name in BUILT_IN:
        return algorithms.suite(name.removeprefix("algorithms-"))
    path = Path(name)
    if not path.is_file():
        raise UsageError(
            f"there is no suite '{name}'", hint=f"Name a file of JSON Lines, or {', '.join(BUILT_IN)}."
        )
    rows = _rows(path)
    for recognises, suite in SHAPES:
        if all(map(recognises, rows)):
            try:
                found = suite(path.stem, rows)
            except (KeyError, TypeError, AttributeError) as error:
                raise UsageError(f"{path}: a row lacks what its kind has: {error}") from error
            _refuse_twins(found)
            return found
    raise UsageError(
        f"{path}: its rows are of no kind that is known",
        hint="BabelTower with MuSL's tests, and HPCTransEval, are; docs/eval.md says what rows hold.",
    )


def _rows(path: Path) -> Rows:
    if path.stat().st_size > _MOST:
        raise UsageError(f"{path} is larger than a file of items")
    found: Rows = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{path}:{number} is no JSON") from error
        if not isinstance(row, dict):
            raise UsageError(f"{path}:{number} is no object")
        found.append(row)
    if not found:
        raise UsageError(f"{path} holds no items")
    return found


def _refuse_twins(suite: Suite) -> None:
    names = [item.id for item in suite.items]
    again = next((name for name in names if names.count(name) > 1), None)
    if again is not None:
        raise UsageError(f"{suite.name}: two items are called '{again}'")
