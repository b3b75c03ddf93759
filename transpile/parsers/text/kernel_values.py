"""Kernels that a program handles as values: in a pointer, a table, an argument or a macro.

A macro or a host function that launches a kernel which it is given, and does nothing else with it, says which
it is by each use.

Whoever launches such a value does not say which kernel it is, so nothing but a kernel may stand behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from transpile.code.edits import line_of
from transpile.code.identity import Same
from transpile.code.lexer import Kind, Macro, Token, tokenize
from transpile.core import Source, Unit, UnitKind
from transpile.parsers.files.discovery import is_code
from transpile.parsers.files.includes import readings
from transpile.parsers.text.launches import LaunchText, find_launches
from transpile.parsers.text.launching_parameters import launching_parameters
from transpile.parsers.text.macro_launches import MacroLaunches, macro_launches

_INERT = tuple(vendor + word for vendor in (b"cuda", b"hip") for word in (b"Func", b"Occupancy"))
"""Beginnings of functions of the runtime that ask about a kernel, and launch nothing."""
_BEFORE_VALUES = frozenset((b"return", b"case", b"else", b"co_return", b"throw"))
_TYPE_MARKS = (b"*", b"&")
_OF_MEMBERS = (b".", b"->")


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
    for path, data in source.files.items():
        if is_code(path) and any(name in data for name in names):
            for stream in tokenize(data).streams:
                for token in _values(stream, names):
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


def _values(tokens: Sequence[Token], names: set[bytes]) -> Iterator[Token]:
    """Yield the names that stand for values in a text, or in the body of a macro."""
    launched = {token.start for launch in find_launches(tokens) for token in launch.kernel}
    variables: dict[bytes, float] = {}
    depth, brackets = 0, 0
    for index, token in enumerate(tokens):
        depth += {b"{": 1, b"}": -1}.get(token.text, 0)
        brackets += {b"(": 1, b")": -1}.get(token.text, 0)
        if token.text == b"}":
            variables = {name: level for name, level in variables.items() if level <= depth}
        if token.kind is not Kind.WORD or token.text not in names or token.start in launched:
            continue
        before = tokens[index - 1].text if index else b""
        behind = tokens[index + 1].text if index + 1 < len(tokens) else b""
        if behind == b"(" or before in _OF_MEMBERS:
            continue
        if _is_declared(tokens, index):
            if behind != b"<":  # an instantiation of a template
                # A parameter lives in the block behind its brackets.
                variables.setdefault(token.text, depth + 0.5 * (brackets > 0))
        elif (before == b"::" or token.text not in variables) and not _is_inert(tokens, index):
            yield token


def _is_declared(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a name is that of a new variable: a type stands before it."""
    at = index - 1
    while at >= 0 and tokens[at].text in _TYPE_MARKS:
        at -= 1
    if at < 0:
        return False
    before = tokens[at]
    if before.kind is Kind.WORD:
        return before.text not in _BEFORE_VALUES
    return before.text == b">" and at < index - 1 and tokens[at + 1].text in _TYPE_MARKS


def _is_inert(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a name is passed to a function of the runtime that launches nothing, or made known."""
    depth = 0
    for at in range(index - 1, -1, -1):
        text = tokens[at].text
        depth += {b")": 1, b"(": -1}.get(text, 0)
        if text in (b";", b"{", b"}"):
            return False
        if text == b"using":
            return True
        if depth < 0:
            return at > 0 and tokens[at - 1].text.startswith(_INERT)
    return False
