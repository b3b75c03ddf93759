"""Code of headers that means different things in the files that include it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from transpile.code.identity import Same
from transpile.code.lexer import spelled, tokenize
from transpile.contracts.probing.probe import unknown
from transpile.core import Inconclusive, Source, Unit
from transpile.parsers.files.includes import readings

_WORD = re.compile(rb"[A-Za-z_]\w*")
_DEFINE = re.compile(r"-D(\w+)(?:=(.*))?")


def several_meanings(source: Source, unit: Unit) -> Inconclusive | None:
    """Return that a unit names a macro which is something else in each of several files, or None.

    A contract is learnt in one translation unit, and a translation takes the unit's place for all of them.
    """
    if unit.path in {item.path for item in source.translation_units}:
        return None
    homes = [path for path, paths in readings(Same(source)).items() if unit.path in paths]
    if len(homes) < 2:
        return None
    named = {word.decode() for item in (unit, *source.closure(unit)) for word in _WORD.findall(item.text)}
    first, *others = homes
    for other in others:
        name = _differing(_macros(Same(source), first), _macros(Same(source), other), named)
        if name:
            both = f"{_said(source, first, name)} in {first} and {_said(source, other, name)} in {other}"
            return unknown(f"`{name}` is {both}, and {unit.path} is included by both")
    return None


def _said(source: Source, path: str, name: str) -> str:
    found = _macros(Same(source), path).get(name)
    return " or ".join(f"`{text}`" if text else "empty" for text in sorted(found)) if found else "undefined"


def _differing(
    one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]], names: Collection[str]
) -> str:
    return next((name for name in sorted(names) if one.get(name) != other.get(name)), "")


@lru_cache(maxsize=512)
def _macros(same: Same, path: str) -> Mapping[str, frozenset[str]]:
    """Return what macros may stand for in a translation unit, whatever its conditions leave of them."""
    source = same.source
    found: dict[str, set[str]] = {}
    for item in readings(same)[path]:
        for macro in tokenize(source.files[item]).macros:
            found.setdefault(macro.name.decode("utf-8", "replace"), set()).add(spelled(macro.body))
    for flag in next((item.flags for item in source.translation_units if item.path == path), ()):
        match = _DEFINE.fullmatch(flag)
        if match is not None:
            found.setdefault(match[1], set()).add(match[2] or "1")
    return {name: frozenset(bodies) for name, bodies in found.items()}
