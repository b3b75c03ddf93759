"""Kernels that a program handles as values: in a pointer, a table, an argument or a macro.

A macro or a host function that launches a kernel which it is given, and does nothing else with it, says which
it is by each use.

Whoever launches such a value does not say which kernel it is, so nothing but a kernel may stand behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from transpile.code.edits import line_of
from transpile.code.identity import Same
from transpile.code.lexer import Macro, tokenize
from transpile.core import Source, Unit, UnitKind
from transpile.parsers.files.discovery import is_code
from transpile.parsers.files.includes import readings
from transpile.parsers.text.kernel_mentions import values
from transpile.parsers.text.launches import LaunchText, find_launches
from transpile.parsers.text.launching_parameters import launching_parameters
from transpile.parsers.text.launching_pointers import launching_pointers
from transpile.parsers.text.macro_launches import MacroLaunches, macro_launches


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A place that mentions a kernel as a value."""

    path: str
    line: int


def used_as_value(source: Source, unit: Unit) -> Use | None:
    """Return a place that handles a kernel as a value; None where there is none.

    Where a translation unit defines a kernel of that name itself, its uses say nothing of others'.
    """
    name = _bare(unit)
    for use in _uses(Same(source)).get(name, ()):
        together = (paths for paths in readings(Same(source)).values() if use.path in paths)
        reached = frozenset[str]().union(*together)
        others = any(
            other.kind is UnitKind.KERNEL and other.path in reached and _bare(other) == name
            for other in source.units
        )
        if unit.path in reached or not others:
            return use
    return None


def _bare(unit: Unit) -> str:
    return unit.name.rpartition("::")[2]


@lru_cache(maxsize=8)
def _uses(same: Same) -> Mapping[str, tuple[Use, ...]]:
    """Return the places that mention kernels other than to launch them, by names without namespaces."""
    source = same.source
    names = {
        _bare(unit).encode("utf-8", "surrogateescape")
        for unit in source.units
        if unit.kind is UnitKind.KERNEL
    }
    found: dict[bytes, dict[str, Use]] = {}
    through = _macro_launches(source)
    passed = {(item.path, item.span.start) for found in launching_parameters(source) for item in found.passed}
    passed |= {(item.path, item.span.start) for found in launching_pointers(source) for item in found.held}
    for path, data in source.files.items():
        if is_code(path) and any(name in data for name in names):
            for stream in tokenize(data).streams:
                for token in values(stream, names):
                    around = through.at(path, token.start)
                    if around is not None and around.only_launches(token.text):
                        continue
                    if (path, token.start) in passed:
                        continue
                    places = found.setdefault(token.text, {})
                    places.setdefault(path, Use(path=path, line=line_of(data, token.start)))
        if is_code(path) and b"##" in data:
            for macro in tokenize(data).macros:
                for name in _pasted(macro, names, lambda launch: through.shown(path, launch)):  # noqa: B023
                    use = Use(path=path, line=line_of(data, macro.body[0].start))
                    found.setdefault(name, {}).setdefault(path, use)
    return {name.decode("utf-8", "surrogateescape"): (*places.values(),) for name, places in found.items()}


def _macro_launches(source: Source) -> MacroLaunches:
    """Return the launches of kernels that macros are given."""
    code = {path: data for path, data in source.files.items() if is_code(path)}
    visible: dict[str, set[str]] = {}
    for paths in readings(Same(source)).values():
        for path in paths:
            visible.setdefault(path, set()).update(paths)
    return macro_launches(code, {path: frozenset(paths) for path, paths in visible.items()})


def _pasted(macro: Macro, names: Collection[bytes], shown: Callable[[LaunchText], bool]) -> Iterator[bytes]:
    """Yield the kernels that a launch in a macro may mean whose name is put together there.

    Where all uses of the macro are ``shown``, these tell.
    """
    for launch in find_launches(macro.body):
        if any(token.text == b"##" for token in launch.kernel) and not shown(launch):
            parts = (token.text for token in launch.kernel if token.text != b"##")
            form = b"".join(b".*" if part in (macro.parameters or ()) else re.escape(part) for part in parts)
            yield from (name for name in names if re.fullmatch(form, name))
