"""Macros with parameters, and functions that only return an expression, in the sizes of launches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from transpile.code.brackets import enclosed, split
from transpile.core import Source

_CALL = re.compile(r"(?<![\w.>])(?:\w+::)*([A-Za-z_]\w*)\s*(?:<[^<>()]*>\s*)?\(")
_NO_CALLS = frozenset(
    ("min", "max", "ceil", "ceilf", "sizeof", "dim3", "int", "unsigned", "long", "float", "double", "size_t")
)
_DEPTH = 8
_LONGEST = 2000
"""Characters that a size may grow to."""


def without_calls(text: str, source: Source) -> str:
    """Return a size with the calls of helpers written out, where all definitions of a name say the same."""
    for _ in range(_DEPTH):
        for found in _CALL.finditer(text):
            inside = enclosed(text, found.end() - 1)
            if found[1] in _NO_CALLS or inside is None:
                continue
            value = _value(source, found[1], _arguments(inside))
            if value is not None:
                text = f"{text[: found.start()]}{value}{text[found.end() + len(inside) + 1 :]}"
                break
        else:
            return text
        if len(text) > _LONGEST:
            return text
    return text


def _arguments(text: str) -> list[str]:
    return [part.strip() for part in split(text, angled="") if part.strip()]


def _value(source: Source, name: str, given: list[str]) -> str | None:
    """Return what a call stands for; None where nothing, or several things, are said of the name."""
    word = re.escape(name)
    values: set[str] = set()
    for data in source.files.values():
        if name.encode() in data:
            values |= set(_values(data.decode("utf-8", "replace"), word, given))
    return values.pop() if len(values) == 1 else None


def _values(text: str, word: str, given: list[str]) -> Iterator[str]:
    """Yield what a call stands for by each definition in a text."""
    macro = rf"^[ \t]*#[ \t]*define[ \t]+{word}\(([^()]*)\)((?:[^\n]*\\\r?\n)*[^\n]*)"
    for found in re.finditer(macro, text, re.MULTILINE):
        names = [name.strip() for name in found[1].split(",")]
        if len(names) == len(given):
            body = re.sub(r"//.*|/\*.*?\*/|\\\r?\n", " ", found[2])
            yield _plain(_put_in(body, dict(zip(names, given, strict=True))))
    function = rf"\b{word}\s*\(([^(){{}};]*)\)\s*(?:noexcept\s*)?\{{\s*return\s+([^;{{}}]+);\s*\}}"
    for found in re.finditer(function, text):
        parameters = [part.partition("=") for part in split(found[1], angled="") if part.strip()]
        names = [head.split()[-1].lstrip("&*") for head, _, _ in parameters if head.split()]
        passed = [*given, *(default.strip() for _, _, default in parameters[len(given) :])]
        if len(names) == len(passed) and all(passed):
            arguments = {name: f"({value})" for name, value in zip(names, passed, strict=True)}
            yield _plain(f"({_put_in(found[2], arguments)})")


def _plain(text: str) -> str:
    """Return a value with single blanks, and none within brackets."""
    return re.sub(r"(?<=\() | (?=\))", "", " ".join(text.split()))


def _put_in(body: str, arguments: Mapping[str, str]) -> str:
    if not arguments:
        return body.strip()
    names = "|".join(map(re.escape, arguments))
    return re.sub(rf"(?<![\w.])(?:{names})\b", lambda found: arguments[found[0]], body).strip()
