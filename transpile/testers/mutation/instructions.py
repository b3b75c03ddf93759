"""Which functions of an assembly text are the same instructions, whatever they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from transpile.parsers.lowering.emulation import candidate_namespace

_SPACE = re.compile(
    "|".join(
        rf"(?:{len(candidate_namespace(0)) + digits}{candidate_namespace(0)}_(\d{{{digits - 1}}}))"
        for digits in (2, 3, 4)
    )
    + rf"|{len(candidate_namespace(0))}{candidate_namespace(0)}(?!_)"
    + rf"|\b{candidate_namespace(0)}(?:_(\d+))?__"
)
"""A namespace within a mangled name, with its length before it: the next length follows without a gap.

In C it is what names begin with.
"""
_FUNCTION = re.compile(r"^\s*\.type\s+([^\s,]+),\s*[@%]function", re.MULTILINE)
_LABEL = re.compile(r"\.L\w+")
_DEFINED = re.compile(r"^(\.L\w+):", re.MULTILINE)
_NOISE = re.compile(r"^\s*\.(?:loc|file|cfi_\w+|p2align|align|ident)\b.*$|^\s*#.*$", re.MULTILINE)


def alike(assembly: str, count: int, function: str) -> frozenset[int]:
    """Return the numbers of the namespaces in which a function is the instructions that it is in namespace 0.

    What it reaches in its namespace counts, and what it does not is nothing.

    Args:
        assembly: Text in which the compiler merged no functions.
        count: Namespaces in it.
        function: Its name without qualification.
    """
    text = _NOISE.sub("", assembly)
    data = dict(_data(text))
    found: dict[int, dict[str, str]] = {number: {} for number in range(count)}
    for name, body in _bodies(text):
        spaces = {int("".join(numbers) or 0) for numbers in _SPACE.findall(name)}
        for number in spaces & found.keys():
            found[number][_SPACE.sub("@", name)] = _normal(body, data)
    reached = {number: _reached(functions, function) for number, functions in found.items()}
    first = reached[0]
    return frozenset(number for number, functions in reached.items() if first and functions == first)


def _reached(functions: Mapping[str, str], function: str) -> dict[str, str]:
    """Return the functions of that name and those that they mention, at any depth."""
    own = re.compile(rf"@{len(function)}{function}|@{function}$")
    waiting = [name for name in functions if own.search(name)]
    found: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        found[name] = functions[name]
        waiting += [other for other in functions if other not in found and other in functions[name]]
    return found


def _bodies(text: str) -> Iterator[tuple[str, str]]:
    """Yield functions with their text, from the label to the size."""
    for match in _FUNCTION.finditer(text):
        name = match[1]
        start = text.find(f"\n{name}:", match.end())
        end = text.find(f".size\t{name},", start)
        if start >= 0 and end >= 0:
            yield name, text[start:end]


def _data(text: str) -> Iterator[tuple[str, str]]:
    """Yield local labels with what stands there, up to the next label or section."""
    for match in _DEFINED.finditer(text):
        end = re.search(
            r"^(?:\S+:|\s*\.(?:section|text|data|size|type|globl)\b)", text[match.end() :], re.MULTILINE
        )
        yield match[1], text[match.end() : match.end() + end.start() if end else len(text)]


def _normal(body: str, data: Mapping[str, str]) -> str:
    """Return a function's text with common names: labels by their order, constants by their value."""
    own = {label: f".L{number}" for number, label in enumerate(_DEFINED.findall(body))}

    def named(match: re.Match[str]) -> str:
        label = match[0]
        return (
            own.get(label)
            or "{" + _LABEL.sub(lambda inner: own.get(inner[0], inner[0]), data.get(label, label)) + "}"
        )

    return _SPACE.sub("@", _LABEL.sub(named, body))
